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

from boathouse.control.runs.models import Run
from boathouse.control.runs.results import Results, plain
from boathouse.kit.errors import NotFound


def kept(directory: Path, sizes: list[int]) -> Run:
    """A run whose result was written so many rows at a time."""
    schema = pa.schema([("id", pa.int64())])
    start = 0
    with pq.ParquetWriter(directory / "r.parquet", schema) as writer:
        for size in sizes:
            writer.write_table(pa.table({"id": range(start, start + size)}, schema=schema))
            start += size
    columns = [{"name": "id", "type": "int64"}]
    return Run(id="r", result={"path": "r.parquet", "rows": start, "truncated": False, "columns": columns})


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
        ({"a": [Decimal(1), None]}, {"a": ["1", None]}),
        ([("k", b"v")], [["k", "dg=="]]),
    ],
)
def test_what_json_cannot_hold_is_text(value: Any, told: Any) -> None:
    assert plain(value) == told


def test_a_run_without_rows_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="has no result"):
        asyncio.run(Results(f"file://{tmp_path}").page(Run(id="r"), 0, 1))
