import asyncio
import tempfile
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.control.runs.downloads import FileForm, download
from boathouse.control.runs.models import Run
from boathouse.control.runs.result_rows import Order
from boathouse.control.runs.results import Results, plain
from boathouse.kit.errors import InvalidInput, NotFound


def kept(directory: Path, sizes: list[int]) -> Run:
    """A run whose result was written so many rows at a time."""
    return kept_as(directory, pa.table({"id": pa.array(range(sum(sizes)), pa.int64())}), sizes)


def kept_as(directory: Path, table: Any, sizes: list[int]) -> Run:
    start = 0
    with pq.ParquetWriter(directory / "r.parquet", table.schema) as writer:
        for size in sizes:
            writer.write_table(table.slice(start, size))
            start += size
    columns = [{"name": field.name, "type": str(field.type)} for field in table.schema]
    result = {"path": "r.parquet", "rows": start, "truncated": False, "columns": columns}
    return Run(id="0199-abcdefgh", job="", result=result)


@given(
    st.lists(st.integers(min_value=0, max_value=7), max_size=6),
    st.integers(min_value=0, max_value=30),
    st.integers(min_value=1, max_value=30),
)
def test_a_page_holds_its_rows_however_they_were_written(sizes: list[int], offset: int, limit: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        run = kept(Path(directory), sizes)
        page = asyncio.run(Results(f"file://{directory}").page(run, offset, limit))
    expected = list(range(sum(sizes)))[offset : offset + limit]
    assert page.rows == [[number] for number in expected]
    assert page.next == (str(offset + limit) if expected and offset + limit < sum(sizes) else None)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Decimal("1.50"), "1.50"),
        (date(2026, 2, 1), "2026-02-01"),
        (datetime(2026, 2, 1, tzinfo=UTC), "2026-02-01T00:00:00+00:00"),
        (b"\x00\xff", "AP8="),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (2**53, 2**53),
        (-(2**53) - 1, "-9007199254740993"),
        ({"a": [Decimal(1), None]}, {"a": ["1", None]}),
        ([("k", b"v")], [["k", "dg=="]]),
    ],
)
def test_what_json_cannot_hold_is_text(value: Any, told: Any) -> None:
    assert plain(value) == told


FAR = 2_932_897
"""The first day after the year 9999, in days since 1970."""
DAY = 86_400_000_000


@pytest.mark.parametrize(
    ("column", "told", "in_csv"),
    [
        (pa.array([FAR, None, 0], pa.date32()), ["10000-01-01", None, "1970-01-01"], "10000-01-01\n\n1970-01-01\n"),
        (
            pa.array([FAR * DAY], pa.timestamp("us", "UTC")),
            ["10000-01-01T00:00:00.000000Z"],
            "10000-01-01 00:00:00.000000Z\n",
        ),
        (
            pa.array([[FAR, None], None], pa.list_(pa.date32())),
            [["10000-01-01", None], None],
            '"[""10000-01-01"",null]"\n\n',
        ),
        (
            pa.array([[("k", FAR)]], pa.map_(pa.string(), pa.date32())),
            [[["k", "10000-01-01"]]],
            '"[[""k"",""10000-01-01""]]"\n',
        ),
        (
            pa.array([{"a": FAR, "b": b"v"}], pa.struct({"a": pa.date32(), "b": pa.binary()})),
            [{"a": "10000-01-01", "b": "dg=="}],
            '"{""a"":""10000-01-01"",""b"":""dg==""}"\n',
        ),
        (
            pa.StructArray.from_arrays([pa.array([1]), pa.array([None], pa.int64())], ["a", "a"]),
            [[["a", 1], ["a", None]]],
            '"[[""a"",1],[""a"",null]]"\n',
        ),
    ],
)
def test_what_python_has_no_value_for_is_told_all_the_same(tmp_path: Path, column: Any, told: Any, in_csv: str) -> None:
    run, results = kept_as(tmp_path, pa.table({"c": column}), [len(column)]), Results(f"file://{tmp_path}")
    assert [value for [value] in asyncio.run(results.page(run, 0, 10)).rows] == told
    assert b"".join(asyncio.run(download(results, run, FileForm.CSV)).parts).decode() == f'"c"\n{in_csv}'


def test_a_run_without_rows_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="has no result"):
        asyncio.run(Results(f"file://{tmp_path}").page(Run(id="r"), 0, 1))


@given(
    st.lists(st.one_of(st.none(), st.integers(min_value=0, max_value=9)), max_size=25),
    st.integers(min_value=1, max_value=7),
    st.builds(Order, st.just(1), st.booleans()),
    st.integers(min_value=0, max_value=30),
    st.integers(min_value=1, max_value=30),
)
def test_rows_come_in_the_order_of_a_column_and_those_without_a_value_last(
    values: list[int | None], group: int, order: Order, offset: int, limit: int
) -> None:
    table = pa.table([pa.array(range(len(values)), pa.int64()), pa.array(values, pa.int64())], names=["n", "n"])
    with tempfile.TemporaryDirectory() as directory:
        run = kept_as(Path(directory), table, [group] * (len(values) // group + 1))
        page = asyncio.run(Results(f"file://{directory}").page(run, offset, limit, order))
    sign = -1 if order.descending else 1
    expected = sorted(enumerate(values), key=lambda row: (row[1] is None, sign * (row[1] or 0)))
    assert page.rows == [list(row) for row in expected][offset : offset + limit]


@pytest.mark.parametrize(("column", "said"), [(1, "There is no column 1"), (0, "has no order")])
def test_what_has_no_order_is_refused(tmp_path: Path, column: int, said: str) -> None:
    run = kept_as(tmp_path, pa.table({"list": [[1], [2]]}), [2])
    with pytest.raises(InvalidInput, match=said):
        asyncio.run(Results(f"file://{tmp_path}").page(run, 0, 1, Order(column, descending=False)))


def test_rows_are_downloaded_as_csv_in_which_nothing_is_told_from_an_empty_text(tmp_path: Path) -> None:
    columns = [
        pa.array([1, None], pa.int64()),
        pa.array(['say "hi",\nthen go', ""]),
        pa.array([Decimal("1.50"), None]),
        pa.array([[1, None], None]),
        pa.array([b"\x00\xff", None]),
        pa.array([datetime(2026, 2, 1, tzinfo=UTC), None]),
    ]
    run = kept_as(tmp_path, pa.table(columns, names=["n", "n", "d", "l", "b", "at"]), [1, 1])
    found = asyncio.run(download(Results(f"file://{tmp_path}"), run, FileForm.CSV))
    assert found.name == "query-abcdefgh.csv"
    assert b"".join(found.parts).decode() == (
        '"n","n","d","l","b","at"\n'
        '1,"say ""hi"",\nthen go",1.50,"[1,null]","AP8=",2026-02-01 00:00:00.000000Z\n'
        ',"",,,,\n'
    )


def test_rows_are_downloaded_as_the_parquet_that_they_are(tmp_path: Path) -> None:
    run = kept(tmp_path, [3, 0, 4])
    found = asyncio.run(download(Results(f"file://{tmp_path}"), run, FileForm.PARQUET))
    content = b"".join(found.parts)
    assert (len(content), content) == (found.size, (tmp_path / "r.parquet").read_bytes())


def test_without_rows_a_csv_still_names_its_columns_and_without_its_file_there_is_none(tmp_path: Path) -> None:
    run = kept(tmp_path, [])
    results = Results(f"file://{tmp_path}")
    assert b"".join(asyncio.run(download(results, run, FileForm.CSV)).parts) == b'"id"\n'
    (tmp_path / "r.parquet").unlink()
    for form in FileForm:
        with pytest.raises(NotFound):
            asyncio.run(download(results, run, form))
