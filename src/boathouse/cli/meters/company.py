"""The power company's year, seeded: which rows come, change and go, in batches. Nothing here knows a database."""

import random
from array import array
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from boathouse.cli.meters.form import Form

Row = tuple[Any, ...]
FIRST_READING = datetime(2026, 1, 1, tzinfo=UTC)
_EVERY = timedelta(minutes=15)
_FIRST_DAY = date(2020, 1, 1)
_NAMES = ("Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances", "Grace", "Jim", "Michael", "Radia", "Tony")
_SURNAMES = ("Brook", "Ferry", "Harbour", "Lake", "Mole", "Pier", "Quay", "Rivers", "Shore", "Weir")
_STREETS = ("Anchor Road", "Bridge Street", "Canal Walk", "Dock Lane", "Lock Close", "Mill Lane", "Tow Path")
_CITIES = ("Bath", "Ely", "Hull", "Leeds", "Oxford", "Ripon", "Wells", "York")
_TARIFFS = ("day and night", "fixed", "green", "spot")
# Shares of what is chosen, in this order; the rest are contracts that end.
_READING, _CORRECTION, _MOVE, _REPLACEMENT, _CONTRACT = 0.90, 0.96, 0.98, 0.99, 0.995
# An ended contract takes its readings along, thousands after a while: at most this share of all changes.
MOST_DELETED = 0.03
POISON_EVERY = 1_000
"""Of poisoned readings: a NaN is a number to Postgres, and none to a lake's decimals."""
_NARROW, _WIDE = 2**31 - 1, 2**40


@dataclass
class Batch:
    """Changes of one transaction, to be made in the order of these fields: no row is needed before it is there."""

    customers: list[Row] = field(default_factory=list[Row])
    meters: list[Row] = field(default_factory=list[Row])
    readings: list[Row] = field(default_factory=list[Row])
    moved: list[Row] = field(default_factory=list[Row])
    """Customers: id, street, city, and email where there is one."""
    replaced: list[Row] = field(default_factory=list[Row])
    """Meters: id, serial, installed_on, pulses."""
    corrected: list[Row] = field(default_factory=list[Row])
    """Readings: id, kwh."""
    ended_readings: list[int] = field(default_factory=list[int])
    ended_meters: list[int] = field(default_factory=list[int])
    ended_customers: list[int] = field(default_factory=list[int])

    @property
    def inserts(self) -> int:
        return len(self.customers) + len(self.meters) + len(self.readings)

    @property
    def updates(self) -> int:
        return len(self.moved) + len(self.replaced) + len(self.corrected)

    @property
    def deletes(self) -> int:
        return len(self.ended_readings) + len(self.ended_meters) + len(self.ended_customers)

    def __len__(self) -> int:
        return self.inserts + self.updates + self.deletes


class _Living:
    """Ids from which one can be chosen, and taken out, in no time."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, one: int) -> None:
        self._places[one] = len(self.ids)
        self.ids.append(one)

    def remove(self, one: int) -> None:
        place, last = self._places.pop(one), self.ids.pop()
        if last != one:
            self.ids[place] = last
            self._places[last] = place


class Company:
    """The same seed, form and sizes of batches give the same batches. Ids begin after `before`."""

    def __init__(self, seed: int, *, form: Form | None = None, before: int = 0, poison: bool = False) -> None:
        self.form = form or Form()
        self._chance = random.Random(seed)  # noqa: S311 - a seeded example, not a secret
        self._poison = poison
        self._before = before
        self._last = {"customer": before, "meter": before, "reading": before}
        self._customers, self._meters = _Living(), _Living()
        self._meters_of: dict[int, list[int]] = {}
        self._readings_of: dict[int, array[int]] = {}
        self._next_meter = 0
        self._clock = FIRST_READING
        self._wanted = self._made = self._deleted = 0

    def population(self, customers: int, meters: int) -> Batch:
        """Those there are at the beginning; a customer has at least one meter."""
        batch = Batch()
        for _ in range(customers):
            self._new_customer(batch)
        for place in range(max(meters, customers)):
            self._new_meter(batch, self._customers.ids[place % customers])
        return batch

    def batch(self, changes: int) -> Batch:
        """About so many: where the last was longer, because a contract's end is not cut in two, this one is shorter."""
        self._wanted += changes
        batch = Batch()
        while self._made < self._wanted:
            self._made += self._one(batch)
        return batch

    def _one(self, batch: Batch) -> int:
        """How many changes that were."""
        chosen = self._chance.random()
        if chosen < _READING:
            return self._read(batch)
        if chosen < _CORRECTION:
            return self._correct(batch)
        if chosen < _MOVE:
            return self._move(batch)
        if chosen < _REPLACEMENT:
            return self._replace(batch)
        if chosen < _CONTRACT:
            return self._new_meter(batch, self._new_customer(batch)) + 1
        return self._end(batch)

    def _read(self, batch: Batch) -> int:
        """One meter after the other; when all have been read, it is a quarter of an hour later."""
        if self._next_meter >= len(self._meters):
            self._next_meter = 0
            self._clock += _EVERY
        meter = self._meters.ids[self._next_meter]
        self._next_meter += 1
        reading = self._new("reading")
        row: Row = (reading, meter, self._clock, self._kwh(reading), False)
        if self.form.note:
            row = (*row, "estimated" if self._chance.random() < 0.02 else None)
        batch.readings.append(row)
        self._readings_of[meter].append(reading)
        return 1

    def _kwh(self, reading: int) -> Decimal:
        known = Decimal(self._chance.randrange(5_000)).scaleb(-3)
        return Decimal("NaN") if self._poison and (reading - self._before) % POISON_EVERY == 0 else known

    def _correct(self, batch: Batch) -> int:
        readings = self._readings_of[self._chance.choice(self._meters.ids)]
        if not readings:
            return self._read(batch)
        batch.corrected.append((self._chance.choice(readings), Decimal(self._chance.randrange(5_000)).scaleb(-3)))
        return 1

    def _move(self, batch: Batch) -> int:
        customer = self._chance.choice(self._customers.ids)
        row: Row = (customer, self._street(), self._chance.choice(_CITIES))
        batch.moved.append((*row, self._email(customer)) if self.form.email else row)
        return 1

    def _replace(self, batch: Batch) -> int:
        batch.replaced.append((self._chance.choice(self._meters.ids), *self._device()))
        return 1

    def _end(self, batch: Batch) -> int:
        customer = self._chance.choice(self._customers.ids)
        meters = self._meters_of[customer]
        size = 1 + len(meters) + sum(len(self._readings_of[meter]) for meter in meters)
        if len(self._customers) == 1 or self._deleted + size > self._made * MOST_DELETED:
            return self._read(batch)
        for meter in self._meters_of.pop(customer):
            batch.ended_readings.extend(self._readings_of.pop(meter))
            batch.ended_meters.append(meter)
            self._meters.remove(meter)
        batch.ended_customers.append(customer)
        self._customers.remove(customer)
        self._deleted += size
        return size

    def _new_customer(self, batch: Batch) -> int:
        """Its id."""
        customer = self._new("customer")
        choice = self._chance.choice
        row: Row = (customer, f"{choice(_NAMES)} {choice(_SURNAMES)}", self._street(), choice(_CITIES))
        row = (*row, choice(_TARIFFS), self._day())
        batch.customers.append((*row, self._email(customer)) if self.form.email else row)
        self._customers.add(customer)
        self._meters_of[customer] = []
        return customer

    def _new_meter(self, batch: Batch, customer: int) -> int:
        """How many changes that is."""
        meter = self._new("meter")
        batch.meters.append((meter, customer, *self._device()))
        self._meters.add(meter)
        self._meters_of[customer].append(meter)
        self._readings_of[meter] = array("q")
        return 1

    def _device(self) -> Row:
        highest = _WIDE if self.form.wide else _NARROW
        return f"M-{self._chance.randrange(16**8):08x}", self._day(), self._chance.randrange(highest)

    def _street(self) -> str:
        return f"{self._chance.randrange(1, 200)} {self._chance.choice(_STREETS)}"

    def _day(self) -> date:
        return _FIRST_DAY + timedelta(days=self._chance.randrange(2_000))

    def _email(self, customer: int) -> str:
        return f"customer-{customer}@mail{self._chance.randrange(10)}.example"

    def _new(self, what: str) -> int:
        self._last[what] += 1
        return self._last[what]
