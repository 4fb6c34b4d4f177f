"""A table takes new columns and wider types where the spec allows it, and refuses the rest at once."""

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.evolution import Changes, plan_changes
from boathouse.pipelines.spec import Evolution
from boathouse.pipelines.types import ColumnType, from_iceberg, parse_type


def columns(**kinds: str) -> dict[str, ColumnType]:
    return {name: parse_type(kind) for name, kind in kinds.items()}


def plan(table: dict[str, ColumnType], data: dict[str, ColumnType], **policy: bool) -> Changes:
    return plan_changes(table, data, Evolution.model_validate(policy), "sales.orders")


def test_the_same_columns_change_nothing() -> None:
    same = columns(id="bigint", item="string")
    assert plan(same, same) == Changes({}, {})


def test_a_new_column_is_added_and_a_narrower_one_widened() -> None:
    changes = plan(
        columns(id="int", x="float", p="decimal(5,2)"), columns(id="bigint", x="double", p="decimal(9,2)", n="int")
    )
    assert changes == Changes(columns(n="int"), columns(id="bigint", x="double", p="decimal(9,2)"))


def test_narrower_data_goes_into_a_wider_column_as_it_is() -> None:
    assert plan(columns(id="bigint", x="double"), columns(id="int", x="float")) == Changes({}, {})


def test_a_column_that_the_data_lacks_stays() -> None:
    assert plan(columns(id="int", note="string"), columns(id="int")) == Changes({}, {})


def test_columns_are_the_same_in_any_case_and_keep_the_tables_spelling() -> None:
    assert plan(columns(Id="int"), columns(iD="bigint")) == Changes({}, columns(Id="bigint"))


def test_everything_refused_is_told_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        plan(
            columns(id="bigint", x="float", when="date"),
            columns(id="string", x="double", when="date", n="int"),
            add_columns=False,
            widen_types=False,
        )
    assert str(caught.value) == (
        "The table sales.orders does not take this data: id is bigint and cannot become string; "
        "x would widen to double (evolution.widen_types is off); n int is new (evolution.add_columns is off)."
    )
    assert caught.value.hint


@pytest.mark.parametrize("kind", ["uuid", "time", "fixed[16]"])
def test_a_column_of_a_type_unknown_to_specs_is_refused_in_words(kind: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        plan({"key": from_iceberg(kind)}, columns(key="string"))
    assert f"key is {kind} and cannot become string" in str(caught.value)


def test_changes_are_sql_whatever_the_names_hold() -> None:
    changes = Changes({"a`b": parse_type("array<int>")}, {"the id": parse_type("bigint")})
    assert changes.statements("`lake`.`t`") == [
        "ALTER TABLE `lake`.`t` ADD COLUMN `a``b` array<int>",
        "ALTER TABLE `lake`.`t` ALTER COLUMN `the id` TYPE bigint",
    ]
