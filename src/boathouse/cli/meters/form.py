"""What the example's tables look like, which its schema changes alter while it runs."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Form:
    """As `schema.sql` makes them, unless a field says otherwise."""

    email: bool = False
    """customers.email is there."""
    wide: bool = False
    """meters.pulses is a bigint."""
    town: bool = False
    """customers.city is called town."""
    note: bool = True
    """readings.note is still there."""

    @property
    def city(self) -> str:
        return "town" if self.town else "city"

    @property
    def customers(self) -> tuple[str, ...]:
        return ("id", "name", "street", self.city, "tariff", "since", *(("email",) if self.email else ()))

    @property
    def meters(self) -> tuple[str, ...]:
        return ("id", "customer_id", "serial", "installed_on", "pulses")

    @property
    def readings(self) -> tuple[str, ...]:
        return ("id", "meter_id", "read_at", "kwh", "corrected", *(("note",) if self.note else ()))


@dataclass(frozen=True)
class SchemaChange:
    """One step from the first form to the last."""

    title: str
    field: str
    value: bool
    statements: tuple[str, ...]

    def made(self, form: Form) -> bool:
        return getattr(form, self.field) is self.value

    def applied(self, form: Form) -> Form:
        return replace(form, **{self.field: self.value})


SCHEMA_CHANGES = (
    SchemaChange("customers.email is added", "email", True, ("ALTER TABLE customers ADD COLUMN email text",)),
    SchemaChange(
        "meters.pulses becomes a bigint", "wide", True, ("ALTER TABLE meters ALTER COLUMN pulses TYPE bigint",)
    ),
    SchemaChange(
        "customers.city is renamed town",
        "town",
        True,
        # Postgres logs no change of rows for it: those who follow learn the new name's values from the next change of each.
        ("ALTER TABLE customers RENAME COLUMN city TO town", "UPDATE customers SET town = town"),
    ),
    SchemaChange("readings.note is dropped", "note", False, ("ALTER TABLE readings DROP COLUMN note",)),
)
