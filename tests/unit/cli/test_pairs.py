"""NAME=VALUE, and what is said of what is not that."""

import pytest

from boathouse.cli.pairs import pair
from boathouse.cli.run import values_of
from boathouse.kit.errors import InvalidInput


def test_a_value_may_hold_what_divides_it_from_its_name() -> None:
    assert pair("a=b=c", "--set", such_as="a=b") == ("a", "b=c")
    assert pair("a=", "--set", such_as="a=b") == ("a", "")


@pytest.mark.parametrize("given", ["day", "=2026-01-31", ""])
def test_what_is_no_pair_is_refused_with_one_that_fits(given: str) -> None:
    with pytest.raises(InvalidInput, match="--value takes") as caught:
        values_of([given])
    assert caught.value.hint == "Such as --value day=2026-01-31."
