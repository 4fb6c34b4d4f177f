"""The example's company: the same every time, never a row that refers to nothing, and the mix that it promises."""

from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.cli.meters.company import FIRST_READING, MOST_DELETED, POISON_EVERY, Batch, Company, Row
from boathouse.cli.meters.form import SCHEMA_CHANGES, Form

seeds = st.integers(0, 2**32)
sizes = st.lists(st.integers(1, 400), min_size=1, max_size=12)


@dataclass
class Tables:
    """What a database would have: refuses what a database would refuse."""

    customers: dict[int, Row] = field(default_factory=dict[int, Row])
    meters: dict[int, Row] = field(default_factory=dict[int, Row])
    readings: dict[int, Row] = field(default_factory=dict[int, Row])

    def apply(self, batch: Batch) -> None:
        for rows, new in (
            (self.customers, batch.customers),
            (self.meters, batch.meters),
            (self.readings, batch.readings),
        ):
            for row in new:
                assert row[0] not in rows
                rows[row[0]] = row
        assert all(meter[1] in self.customers for meter in batch.meters)
        assert all(reading[1] in self.meters for reading in batch.readings)
        for rows, changed in (
            (self.customers, batch.moved),
            (self.meters, batch.replaced),
            (self.readings, batch.corrected),
        ):
            assert all(row[0] in rows for row in changed)
        self._delete(batch)

    def _delete(self, batch: Batch) -> None:
        for one in batch.ended_readings:
            del self.readings[one]
        for one in batch.ended_meters:
            del self.meters[one]
        for one in batch.ended_customers:
            del self.customers[one]
        ended_meters, ended_customers = set(batch.ended_meters), set(batch.ended_customers)
        assert not any(reading[1] in ended_meters for reading in self.readings.values())
        assert not any(meter[1] in ended_customers for meter in self.meters.values())


def batches(company: Company, wanted: list[int]) -> list[Batch]:
    return [company.population(20, 25), *(company.batch(size) for size in wanted)]


@given(seeds, sizes)
@settings(max_examples=30, deadline=None)
def test_the_same_seed_gives_the_same_changes_in_the_same_order(seed: int, wanted: list[int]) -> None:
    assert batches(Company(seed), wanted) == batches(Company(seed), wanted)


@given(seeds, seeds)
@settings(max_examples=20, deadline=None)
def test_another_seed_gives_others(one: int, other: int) -> None:
    assert (one == other) == (batches(Company(one), [100]) == batches(Company(other), [100]))


@given(seeds, sizes)
@settings(max_examples=30, deadline=None)
def test_a_database_would_take_every_change(seed: int, wanted: list[int]) -> None:
    tables = Tables()
    for batch in batches(Company(seed), wanted):
        tables.apply(batch)


@given(seeds, sizes)
@settings(max_examples=30, deadline=None)
def test_all_changes_together_are_as_many_as_were_asked_for(seed: int, wanted: list[int]) -> None:
    company = Company(seed)
    population, *made = batches(company, wanted)
    # A contract's end is not cut in two, and a new customer comes with a meter.
    largest = 1 + len(population.meters) + sum(len(batch.readings) for batch in made)
    assert sum(wanted) <= sum(map(len, made)) <= sum(wanted) + largest


@given(seeds, st.integers(0, 10**9))
@settings(max_examples=10, deadline=None)
def test_ids_begin_after_those_that_were_there(seed: int, before: int) -> None:
    tables = Tables()
    for batch in batches(Company(seed, before=before), [500]):
        tables.apply(batch)
    assert min(map(min, (tables.customers, tables.meters, tables.readings))) > before


@pytest.mark.parametrize("seed", [1, 7, 42])
def test_most_changes_are_readings_and_some_of_each_other_kind_come(seed: int) -> None:
    company = Company(seed)
    company.population(200, 240)
    whole = [company.batch(1_000) for _ in range(50)]
    changes = sum(map(len, whole))
    assert 0.85 < sum(len(batch.readings) for batch in whole) / changes < 0.95
    assert 0.05 < sum(batch.updates for batch in whole) / changes < 0.12
    assert 0 < sum(batch.deletes for batch in whole) / changes <= MOST_DELETED
    for kind in ("customers", "meters", "moved", "replaced", "corrected", "ended_customers", "ended_meters"):
        assert any(getattr(batch, kind) for batch in whole), kind


def test_time_goes_on_from_reading_to_reading() -> None:
    company = Company(7)
    company.population(10, 10)
    times = [row[2] for _ in range(20) for row in company.batch(50).readings]
    assert times[0] == FIRST_READING
    assert all(earlier <= later for earlier, later in pairwise(times))
    assert times[-1] > FIRST_READING


def test_one_reading_in_a_thousand_is_poisoned_if_that_is_asked_for() -> None:
    for poison, wanted in ((True, 3), (False, 0)):
        company = Company(7, poison=poison)
        company.population(10, 10)
        readings = [row for _ in range(40) for row in company.batch(100).readings][: 3 * POISON_EVERY]
        assert sum(row[3].is_nan() for row in readings) == wanted


def test_rows_have_the_columns_of_the_form_that_the_tables_have() -> None:
    form = Form()
    company = Company(7)
    company.population(50, 60)
    for change in (None, *SCHEMA_CHANGES):
        form = change.applied(form) if change else form
        company.form = form
        batch = company.batch(2_000)
        assert {len(row) for row in batch.customers} == {len(form.customers)}
        assert {len(row) for row in batch.meters} == {len(form.meters)}
        assert {len(row) for row in batch.readings} == {len(form.readings)}
        assert (max(row[3] for row in batch.replaced) > 2**31) is form.wide


def test_each_schema_change_is_made_once() -> None:
    form = Form()
    for change in SCHEMA_CHANGES:
        assert not change.made(form)
        form = change.applied(form)
        assert change.made(form)
    assert form == Form(email=True, wide=True, town=True, note=False)
