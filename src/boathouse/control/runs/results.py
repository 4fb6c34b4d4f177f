"""The rows of a run: Parquet in storage, read by pages."""

import asyncio
import base64
import os
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import Column, ResultPage
from boathouse.kit.errors import NotFound
from boathouse.kit.objects import Store, open_store, storage_errors

# To tell some rows, those of their groups are read: at most so many more.
ROW_GROUP = 5_000


@dataclass(frozen=True)
class Results:
    root: str
    """Where results lie, as file:// or s3://; the worker's own."""

    def store(self) -> Store:
        """The keys of an S3 store come from the environment, as every S3 client takes them."""
        return open_store(
            self.root,
            endpoint=os.environ.get("AWS_ENDPOINT_URL"),
            region=os.environ.get("AWS_REGION"),
            access_key=os.environ.get("AWS_ACCESS_KEY_ID"),
            secret_key=os.environ.get("AWS_SECRET_ACCESS_KEY"),
            session_token=os.environ.get("AWS_SESSION_TOKEN"),
        )

    async def page(self, run: Run, offset: int, limit: int) -> ResultPage:
        if run.result is None:
            raise NotFound(f"The run {run.id} has no result.", hint="Only SQL that returns rows leaves one.")
        # Reading and decoding takes its time, and others are waiting.
        rows = await asyncio.to_thread(self._rows, run.result["path"], offset, limit)
        after = offset + len(rows)
        return ResultPage(
            columns=[Column(**column) for column in run.result["columns"]],
            rows=rows,
            total=run.result["rows"],
            truncated=run.result["truncated"],
            next=str(after) if rows and after < run.result["rows"] else None,
        )

    def _rows(self, path: str, offset: int, limit: int) -> list[list[Any]]:
        import obstore
        import pyarrow as pa
        import pyarrow.parquet as pq

        with storage_errors(f"{self.root}/{path}"):
            file = pq.ParquetFile(pa.BufferReader(obstore.get(self.store(), path).bytes()))
            groups, before = _groups(file.metadata, offset, limit)
            if not groups:
                return []
            table = file.read_row_groups(groups).slice(offset - before, limit)
        columns = [[plain(value) for value in column.to_pylist()] for column in table.columns]
        return [list(row) for row in zip(*columns, strict=True)] if columns else []


def _groups(metadata: Any, offset: int, limit: int) -> tuple[list[int], int]:
    """The row groups that hold these rows, and how many rows come before them. How large each is, is the writer's choice."""
    groups: list[int] = []
    before = start = 0
    for number in range(metadata.num_row_groups):
        end = start + metadata.row_group(number).num_rows
        if end <= offset:
            before = end
        elif start < offset + limit:
            groups.append(number)
        start = end
    return groups, before


def plain(value: Any) -> Any:
    """As JSON can have it, with nothing lost: what is no number for JSON is text."""
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (Decimal, timedelta)) or (isinstance(value, float) and not isfinite(value)):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value
