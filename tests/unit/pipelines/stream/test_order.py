"""Changes in the order in which they count."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.pipelines.stream.order import Order, are_before, greatest, least

ORDERS = st.tuples(st.integers(0, 3), st.integers(0, 3))


def rows(orders: list[Order]) -> Any:
    return pa.table({"place": [place for place, _ in orders], "lsn": [lsn for _, lsn in orders]})


@given(st.lists(ORDERS, min_size=1))
def test_the_ends_are_those_of_the_pairs(orders: list[Order]) -> None:
    assert greatest(rows(orders)) == max(orders)
    assert least(rows(orders)) == min(orders)


@given(st.lists(ORDERS, min_size=1), ORDERS)
def test_those_before_a_change_are_known(orders: list[Order], order: Order) -> None:
    assert are_before(rows(orders), order).to_pylist() == [one < order for one in orders]


@pytest.mark.parametrize("end", [greatest, least])
def test_of_nothing_there_is_no_end(end: Any) -> None:
    nothing = pa.schema([("place", pa.int64()), ("lsn", pa.int64())]).empty_table()
    assert end(nothing) is None
