"""Lists, maps and records in an event: all of what is in them fits, or nothing of it is taken."""

from collections.abc import Callable, Iterator

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.values import read_as_text
from boathouse.pipelines.stream import scalars
from boathouse.pipelines.stream.conditions import any_of
from boathouse.pipelines.types import ColumnType, Decimal, ListOf, MapOf, Primitive, Struct, spark_type

_READ = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "_corrupt"}
_TEXT = Primitive("string")


def let(column: Column, use: Callable[[Column], Column]) -> Column:
    """What is made of a column that is found out once, however often it is used. It is not compiled."""
    return F.get(F.transform(F.array(column), use), F.lit(0))


def has_decimals(kind: ColumnType) -> bool:
    return any(isinstance(leaf, Decimal) for leaf in _leaves(kind))


def typed(text: Column, kind: ColumnType, exact: Column | None = None) -> Column:
    """Null where it does not fit. `exact` has decimals as texts, where those of `text` have lost digits."""
    # Only beside a column for what cannot be read Spark says that a field within could not be.
    schema = f"v {spark_type(_with_texts(kind))}, _corrupt string"
    read = F.from_json(F.concat(F.lit('{"v":'), text, F.lit("}")), schema, _READ)

    def whole(found: Column) -> Column:
        fits = found["_corrupt"].isNull()
        if not _has_texts(kind):
            return F.when(fits, found["v"])
        texts = F.coalesce(exact, found["v"]) if exact is not None else found["v"]
        return F.when(fits, let(texts, _values))

    def _values(texts: Column) -> Column:
        return let(_made(kind, texts), lambda made: F.when(~F.coalesce(_lost(kind, texts, made), F.lit(False)), made))

    return let(read, whole)


def exactly(event: Column, name: str, kind: ColumnType) -> Column:
    """The texts of a column's decimals, out of an event that is a variant: a text of Spark's JSON has a double's digits."""
    return F.try_variant_get(event, f'$["{name}"]', spark_type(_with_texts(kind)))


def _leaves(kind: ColumnType) -> Iterator[Primitive | Decimal]:
    match kind:
        case ListOf(element):
            yield from _leaves(element)
        case MapOf(_, value):
            yield from _leaves(value)
        case Struct(fields):
            for _, field in fields:
                yield from _leaves(field)
        case _:
            yield kind


def _has_texts(kind: ColumnType) -> bool:
    return any(map(read_as_text, _leaves(kind)))


def _with_texts(kind: ColumnType) -> ColumnType:
    """With texts for what Spark's JSON takes too lightly: of a number too large for a decimal, it would end the batch."""
    match kind:
        case ListOf(element):
            return ListOf(_with_texts(element))
        case MapOf(key, value):
            return MapOf(key, _with_texts(value))
        case Struct(fields):
            return Struct(tuple((name, _with_texts(field)) for name, field in fields))
        case _:
            return _TEXT if read_as_text(kind) else kind


def _made(kind: ColumnType, texts: Column) -> Column:
    """What was read with texts, as it should be."""
    if not _has_texts(kind):
        return texts
    match kind:
        case ListOf(element):
            return F.transform(texts, lambda text: _made(element, text))
        case MapOf(_, value):
            return F.transform_values(texts, lambda _, text: _made(value, text))
        case Struct(fields):
            made = F.struct(*(_made(field, texts[name]).alias(name) for name, field in fields))
            return F.when(texts.isNotNull(), made)
        case _:
            return scalars.typed(texts, kind)


def _lost(kind: ColumnType, texts: Column, made: Column) -> Column:
    """Whether some text is not what it should be."""
    if not _has_texts(kind):
        return F.lit(False)
    match kind:
        case ListOf(element):
            return _lost_in(element, texts, made)
        case MapOf(_, value):
            return _lost_in(value, F.map_values(texts), F.map_values(made))
        case Struct(fields):
            return any_of([_lost(field, texts[name], made[name]) for name, field in fields])
        case _:
            return texts.isNotNull() & made.isNull()


def _lost_in(element: ColumnType, texts: Column, made: Column) -> Column:
    lost = F.zip_with(texts, made, lambda text, one: _lost(element, text, one))
    return F.exists(lost, lambda one: F.coalesce(one, F.lit(False)))
