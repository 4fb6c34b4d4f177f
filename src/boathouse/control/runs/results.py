"""The rows of a run: Parquet in storage, read by pages."""

import asyncio
import base64
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

import obstore

from boathouse.control.runs.models import Run
from boathouse.control.runs.result_files import open_parquet
from boathouse.control.runs.result_rows import Order, rows_between, rows_in_order
from boathouse.control.runs.schemas import Column, ResultPage
from boathouse.kit.errors import NotFound
from boathouse.kit.objects import Store, open_store, storage_errors

# To tell some rows, those of their groups are read: at most so many more.
ROW_GROUP = 5_000
# Of whole numbers, those that JavaScript's hold.
_EXACT = 2**53


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
            tidy=True,
        )

    async def remove(self, places: Collection[str]) -> None:
        """All that lies below them. It may be gone already."""
        await asyncio.to_thread(self._remove, places)

    async def remove_attempts(self, runs: Mapping[str, int]) -> None:
        """By place, the attempts up to that number: somebody may have asked for another meanwhile, whose rows are new."""
        await asyncio.to_thread(self._remove_attempts, runs)

    def _remove(self, places: Collection[str]) -> None:
        for place in places:
            self._remove_if(place, lambda _: True)

    def _remove_attempts(self, runs: Mapping[str, int]) -> None:
        for place, last in runs.items():
            gone = {f"{place}/{number}.parquet" for number in range(1, last + 1)}
            self._remove_if(place, gone.__contains__)

    def _remove_if(self, place: str, wanted: Callable[[str], bool]) -> None:
        store = self.store()
        with storage_errors(f"{self.root}/{place}"), suppress(FileNotFoundError):
            for found in obstore.list(store, place):
                obstore.delete(store, [one["path"] for one in found if wanted(one["path"])])

    async def page(self, run: Run, offset: int, limit: int, order: Order | None = None) -> ResultPage:
        result = kept(run)
        # Reading and decoding takes its time, and others are waiting.
        rows = await asyncio.to_thread(self._rows, result["path"], offset, limit, order)
        after = offset + len(rows)
        return ResultPage(
            columns=[Column(**column) for column in result["columns"]],
            rows=rows,
            total=result["rows"],
            truncated=result["truncated"],
            next=str(after) if rows and after < result["rows"] else None,
        )

    def _rows(self, path: str, offset: int, limit: int, order: Order | None) -> list[list[Any]]:
        with storage_errors(f"{self.root}/{path}"):
            file = open_parquet(self.store(), path)
            table = rows_in_order(file, order, offset, limit) if order else rows_between(file, offset, limit)
        return [list(row) for row in zip(*map(values_of, table.columns), strict=True)]


def kept(run: Run) -> dict[str, Any]:
    """Where its rows are, and how many."""
    if run.result is None:
        raise NotFound(f"The run {run.id} has no result.", hint="Only SQL that returns rows leaves one.")
    if run.result_gone_at is not None:
        raise NotFound(
            f"The rows of the run {run.id} are no longer kept: they were removed on {run.result_gone_at:%Y-%m-%d}.",
            hint="Run it again for new ones. `control.keep_results_days` says how long workers keep them.",
        )
    return run.result


def values_of(column: Any) -> list[Any]:
    """As JSON can have them, whatever Arrow has."""
    try:
        return [plain(value) for value in column.to_pylist()]
    except (OverflowError, ValueError):
        # Python has no word for one of them. One by one takes long, and is seldom needed.
        return [_value_of(scalar) for scalar in column]


def _value_of(scalar: Any) -> Any:
    """Also of a date after the year 9999, and of a structure with two fields of one name, which is a list of pairs."""
    import pyarrow as pa

    if not scalar.is_valid:
        return None
    kind = scalar.type
    if pa.types.is_struct(kind):
        names = [field.name for field in kind]
        fields = [(name, _value_of(scalar[number])) for number, name in enumerate(names)]
        return dict(fields) if len(set(names)) == len(names) else [list(pair) for pair in fields]
    if pa.types.is_map(kind):
        keys, items = scalar.values.flatten()
        return [list(pair) for pair in zip(values_of(keys), values_of(items), strict=True)]
    if pa.types.is_nested(kind):
        return values_of(scalar.values)
    try:
        return plain(scalar.as_py())
    except (OverflowError, ValueError):
        return scalar.cast(pa.string()).as_py().replace(" ", "T")


def plain(value: Any) -> Any:
    """As JSON can have it, with nothing lost: what is no number for JSON is text."""
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (Decimal, timedelta)) or _is_beyond(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _is_beyond(value: Any) -> bool:
    """Whether a number is one that JSON has no word for, or that a browser would round."""
    if isinstance(value, float):
        return not isfinite(value)
    return isinstance(value, int) and abs(value) > _EXACT
