"""A value is written as the file says it, or the row is kept with the reason; a rule that stops a load says where."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Observation

from boathouse.kit.errors import InvalidInput, WorkFailed
from tests.loading import Loading

VALUES = """
pipeline: values
source: {{path: "*.{format}", format: {format}}}
schema: {{id: int, value: "{kind}"}}
target: {{table: NS.values}}
"""


def outcome(loading: Loading, kind: str, texts: list[str], *, quote: str = "") -> tuple[dict[int, Any], list[int]]:
    """The values that were written and the rows that were not, each by its number."""
    rows = "".join(f"{number},{quote}{text}{quote}\n" for number, text in enumerate(texts))
    loading.write("a.csv", "id,value\n" + rows)
    loading.run(VALUES.format(format="csv", kind=kind))
    written = dict(loading.rows("select id, value from NS.values"))
    rejected = loading.rows("select line from NS.values__rejects order by line")
    return written, [line - 2 for (line,) in rejected]


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize(
    ("kind", "texts", "values"),
    [
        ("double", ["1.5", "-2e3", "1.5d", "5F", "1e400", "Infinity", "x"], {0: 1.5, 1: -2000.0, 5: float("inf")}),
        ("date", ["2024-02-29", "2023-02-29", "2024", "2024-02", "2024-02-29T10:00:00"], {0: date(2024, 2, 29)}),
        (
            "timestamp",
            ["2024-02-29 10:00:00", "10:00", "2024", "2024-02-29"],
            {0: datetime(2024, 2, 29, 10, tzinfo=UTC), 3: datetime(2024, 2, 29, tzinfo=UTC)},
        ),
        ("int", ["7", "7.5", "9999999999", "0x10"], {0: 7}),
        ("boolean", ["true", "false", "maybe"], {0: True, 1: False}),
    ],
)
def test_what_is_not_of_the_type_is_rejected_and_never_guessed(
    loading: Loading, kind: str, texts: list[str], values: dict[int, Any], quote: str
) -> None:
    written, rejected = outcome(loading, kind, texts, quote=quote)
    utc = {key: value.astimezone(UTC) if isinstance(value, datetime) else value for key, value in written.items()}
    assert utc == values
    assert rejected == [number for number in range(len(texts)) if number not in values]


def test_a_decimal_with_a_comma_is_no_other_number(loading: Loading) -> None:
    written, rejected = outcome(loading, "decimal(10,2)", ["99.90", "99,90", "1.234,56", "1,234.56"], quote='"')
    assert (written, rejected) == ({0: Decimal("99.90")}, [1, 2, 3])


def test_a_decimal_is_not_rounded(loading: Loading) -> None:
    written, rejected = outcome(loading, "decimal(10,2)", ["1.25", "1.2500", "1.255", "7", ".5", "1e-1"])
    assert written == {
        number: Decimal(text) for number, text in ((0, "1.25"), (1, "1.25"), (3, "7"), (4, ".5"), (5, ".1"))
    }
    assert rejected == [2]


def test_a_decimal_that_spark_would_never_be_done_with_is_rejected(loading: Loading) -> None:
    endless = ["1e-500000000", "0." + "0" * 3_000_000 + "1", "1E-00010000"]
    written, rejected = outcome(loading, "decimal(10,2)", [*endless, "1e-2", "1.50"])
    assert written == {3: Decimal("0.01"), 4: Decimal("1.50")}
    assert rejected == [0, 1, 2]


def test_json_is_judged_as_strictly(loading: Loading) -> None:
    loading.write("a.json", '{"id":0,"value":99.90}\n{"id":1,"value":"99,90"}\n{"id":2,"value":"12.5"}\n')
    loading.run(VALUES.format(format="json", kind="decimal(10,2)"))
    written = dict(loading.rows("select id, value from NS.values"))
    assert written == {0: Decimal("99.90"), 2: Decimal("12.50")}
    assert loading.rows("select reason from NS.values__rejects") == [("value is not decimal(10,2): 99,90",)]


def test_a_field_inside_an_object_that_the_schema_lacks_is_told(loading: Loading) -> None:
    rows = ['{"id":0,"value":{"a":"x","b":{"c":1}}}', '{"id":1,"value":{"a":"x","b":{"c":1,"d":2}}}']
    loading.write("a.json", "\n".join([*rows, '{"id":2,"id":3,"value":null}', '{"id":4,"value":null}']))
    loading.run(VALUES.format(format="json", kind="struct<a:string,b:struct<c:int>>"))
    assert loading.rows("select id from NS.values order by id") == [(0,), (4,)]
    assert loading.rows("select line, reason from NS.values__rejects order by line") == [
        (2, "fields that the schema does not have: value.b.d"),
        (3, "fields that are given twice: id"),
    ]


def test_a_quote_inside_a_field_is_a_character_like_others(loading: Loading) -> None:
    written, rejected = outcome(loading, "string", ['27" wide', 'a"b"c', '"open'])
    assert (written, rejected) == ({0: '27" wide', 1: 'a"b"c'}, [2])


def test_a_derived_column_of_the_same_name_is_not_blamed(loading: Loading) -> None:
    loading.write("a.csv", "id,value\nx,abc\n")
    loading.run(VALUES.format(format="csv", kind="string") + "derive: {value: try_cast(value as int)}\n")
    assert loading.rows("select reason from NS.values__rejects") == [("id is not int: x",)]


def test_what_stops_a_load_is_told_with_its_place(loading: Loading) -> None:
    loading.write("a.csv", "id,value\n1,1\n2,2\nx,3\ny,4\n")
    spec = VALUES.format(format="csv", kind="int") + "malformed: fail\n"
    with pytest.raises(
        WorkFailed, match=r"2 rows break 'fits the schema'\. The first is .*a\.csv, line 4: id is not int: x"
    ):
        loading.run(spec)


@pytest.mark.parametrize(
    ("addition", "what"),
    [
        (
            "derive: {r: 1 / (value - 1)}",
            r"The derived column 'r' \(1 / \(value - 1\)\) fails on a row.*[Dd]ivision by zero",
        ),
        ("expectations: [{check: 1 / (value - 1) > 0}]", "The expectation .* fails on a row"),
    ],
)
def test_an_expression_that_fails_on_a_row_is_named(loading: Loading, addition: str, what: str) -> None:
    loading.write("a.csv", "id,value\n1,1\n")
    with pytest.raises(WorkFailed, match=what):
        loading.run(VALUES.format(format="csv", kind="int") + addition)


def test_an_expectation_that_is_not_true_or_false_is_refused(loading: Loading) -> None:
    loading.write("a.csv", "id,value\n1,1\n")
    with pytest.raises(InvalidInput, match="is not a predicate: `value` is int"):
        loading.run(VALUES.format(format="csv", kind="int") + "expectations: [{check: value}]")


def test_a_merge_leaves_what_is_newer_in_the_table(loading: Loading) -> None:
    spec = """
pipeline: values
source: {path: "*.csv", format: csv}
schema: {id: int, value: string, at: date}
target: {table: NS.values, mode: merge, keys: [id], latest_by: at}
"""
    loading.write("1.csv", "id,value,at\n1,new,2026-01-03\n2,b,2026-01-01\n3,c,\n")
    loading.run(spec)
    loading.write("2.csv", "id,value,at\n1,old,2025-01-01\n2,b2,2026-01-01\n3,c2,2020-01-01\n1,none,\n")
    report = loading.run(spec)
    assert loading.rows("select id, value from NS.values order by id") == [(1, "new"), (2, "b2"), (3, "c2")]
    assert (report.rows_in, report.rows_written, report.rows_superseded, report.rows_outdated) == (4, 2, 1, 1)


def test_files_are_loaded_again_on_request(loading: Loading) -> None:
    loading.write("a.csv", "id,value\n1,1\n")
    spec = VALUES.format(format="csv", kind="int")
    assert loading.run(spec).rows_written == 1
    assert loading.run(spec).load_id is None
    assert loading.run(spec, again=True).rows_written == 1
    assert loading.rows("select count(*) from NS.values") == [(2,)]


def test_metrics_that_spark_leaves_out_are_counted_again(loading: Loading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Observation, "get", property(lambda _observation: {}))
    loading.write("a.csv", "id,value\n1,1\nx,2\n")
    report = loading.run(VALUES.format(format="csv", kind="int"))
    assert (report.rows_in, report.rows_written, report.rows_quarantined) == (2, 1, 1)
    assert loading.rows("select line, raw from NS.values__rejects") == [(3, "x,2")]
