"""A rule that fails stops the load and says how many rows broke it."""

import pytest

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import WorkFailed
from boathouse.pipelines.ingest.rejects import refuse_failures
from boathouse.pipelines.ingest.rows import Outcome
from boathouse.pipelines.ingest.rules import Rule
from boathouse.pipelines.spec import Action

ORDERS = TableName(("sales",), "orders")
RULES = [
    Rule(0, "fits the schema", Action.FAIL, None),
    Rule(1, "has a price", Action.FAIL, "price > 0"),
    Rule(2, "is known", Action.DROP, "known"),
]


def test_all_the_rules_that_stop_a_load_are_named_with_their_rows() -> None:
    with pytest.raises(WorkFailed) as caught:
        refuse_failures(RULES, Outcome(9_999, {0: 1_234, 1: 2, 2: 5}, None), ORDERS)
    assert str(caught.value) == (
        "The load was stopped, and nothing of it is in sales.orders: "
        "1,234 rows break 'fits the schema'; 2 rows break 'has a price'."
    )


def test_rows_that_are_dropped_stop_nothing() -> None:
    refuse_failures(RULES, Outcome(5, {0: 0, 1: 0, 2: 5}, None), ORDERS)
