"""A query's result as rows of plain values: what JSON knows, and dates, times and decimals."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson
import pyarrow as pa

from boathouse.cli.values import to_text
from boathouse.engines.spark.query import Result

Convert = Callable[[Any], Any]


def column_names(result: Result) -> list[str]:
    """The columns' names, made different where a query gives two the same."""
    names: list[str] = []
    for name in result.schema.names:
        taken = sum(known == name for known in result.schema.names[: len(names)])
        names.append(f"{name} ({taken + 1})" if taken else name)
    return names


def numeric_columns(result: Result) -> list[bool]:
    return [is_numeric(field.type) for field in result.schema]


def is_numeric(kind: Any) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def plain_rows(result: Result) -> Iterator[Sequence[Any]]:
    """The rows, fetched batch by batch, with every value plain."""
    converts = [_converter(field) for field in result.schema]
    for batch in result.batches:
        columns = [
            _convert(column.to_pylist(), convert) for column, convert in zip(batch.columns, converts, strict=True)
        ]
        yield from zip(*columns, strict=True)


def _convert(values: list[Any], convert: Convert | None) -> list[Any]:
    return values if convert is None else [None if value is None else convert(value) for value in values]


def _converter(field: Any) -> Convert | None:
    """What makes a value of this field plain; None where it is plain already."""
    kind, metadata = field.type, field.metadata or {}
    if pa.types.is_struct(kind):
        return _variant if _is_variant(kind, metadata) else _struct(kind)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = _converter(kind.value_field)
        return lambda values: _convert(values, inner)
    if pa.types.is_map(kind):
        return _map(kind)
    return _scalar(kind)


def _scalar(kind: Any) -> Convert | None:
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return lambda value: f"0x{value.hex()}"
    if pa.types.is_float32(kind):
        return _single
    if pa.types.is_floating(kind):
        return _double
    return str if pa.types.is_duration(kind) else None


def _struct(kind: Any) -> Convert:
    inner = {field.name: _converter(field) for field in kind}
    return lambda value: {name: _convert([value[name]], convert)[0] for name, convert in inner.items()}


def _map(kind: Any) -> Convert:
    key, item = _converter(kind.key_field), _converter(kind.item_field)
    return lambda pairs: {to_text(_convert([k], key)[0]): _convert([v], item)[0] for k, v in pairs}


def _is_variant(kind: Any, metadata: dict[bytes, bytes]) -> bool:
    fields = [*kind]
    return b"variant" in metadata or any(b"variant" in (field.metadata or {}) for field in fields)


def _variant(value: dict[str, bytes]) -> Any:
    from pyspark.sql.types import VariantVal

    return orjson.loads(VariantVal(value["value"], value["metadata"]).toJson())


def _double(value: float) -> float | str:
    """JSON has no word for these numbers, so they are given as Spark writes them."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"


def _single(value: float) -> float | str:
    """A four-byte number with the digits it really has: 0.1, not 0.10000000149."""
    import numpy as np

    return float(str(np.float32(value))) if math.isfinite(value) else _double(value)
