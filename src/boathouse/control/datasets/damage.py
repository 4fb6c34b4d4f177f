"""Metadata comes from elsewhere: what is not as Iceberg has it is said to be so, whatever it is."""

from collections.abc import Generator
from contextlib import contextmanager

from boathouse.kit.errors import Conflict

# The last for what is nested deeper than anything can follow.
_STRANGE = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    StopIteration,
    IndexError,
    OverflowError,
    RecursionError,
)


@contextmanager
def as_iceberg_has_it(table: str) -> Generator[None]:
    try:
        yield
    except _STRANGE as error:
        raise Conflict(
            f"What the catalog tells of {table} is not a table's metadata ({error!r:.200}).",
            hint="Look at the table with another client of the catalog.",
        ) from error
