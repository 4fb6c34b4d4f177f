"""Lists, maps and records in an event: all of what is in them fits, or nothing of it is taken."""

from collections.abc import Callable

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream.conditions import any_of
from boathouse.pipelines.types import ColumnType, Decimal, ListOf, MapOf, Primitive, Struct, spark_type

_READ = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "_corrupt"}
_TEXT = Primitive("string")


def let(column: Column, use: Callable[[Column], Column]) -> Column:
    """What is made of a column that is found out once, however often it is used. It is not compiled."""
    return F.get(F.transform(F.array(column), use), F.lit(0))


def has_decimals(kind: ColumnType) -> bool:
    match kind:
        case Decimal():
            return True
        case ListOf(element):
            return has_decimals(element)
        case MapOf(key, value):
            return has_decimals(key) or has_decimals(value)
        case Struct(fields):
            return any(has_decimals(field) for _, field in fields)
        case _:
            return False


def typed(text: Column, kind: ColumnType, exact: Column | None = None) -> Column:
    """Null where it does not fit. `exact` has decimals as texts, where those of `text` have lost digits."""
    # Only beside a column for what cannot be read Spark says that a field within could not be.
    schema = f"v {spark_type(_with_texts(kind))}, _corrupt string"
    read = F.from_json(F.concat(F.lit('{"v":'), text, F.lit("}")), schema, _READ)

    def whole(found: Column) -> Column:
        fits = found["_corrupt"].isNull()
        if not has_decimals(kind):
            return F.when(fits, found["v"])
        texts = F.coalesce(exact, found["v"]) if exact is not None else found["v"]
        return F.when(fits, let(texts, _numbers))

    def _numbers(texts: Column) -> Column:
        numbers = texts.try_cast(spark_type(kind))
        return F.when(~F.coalesce(_lost(kind, texts, numbers), F.lit(False)), numbers)

    return let(read, whole)


def exactly(event: Column, name: str, kind: ColumnType) -> Column:
    """The texts of a column's decimals, out of an event that is a variant: a text of Spark's JSON has a double's digits."""
    return F.try_variant_get(event, f'$["{name}"]', spark_type(_with_texts(kind)))


def _with_texts(kind: ColumnType) -> ColumnType:
    """With texts for decimals: of a number that is too large for one, Spark would end the batch."""
    match kind:
        case Decimal():
            return _TEXT
        case ListOf(element):
            return ListOf(_with_texts(element))
        case MapOf(key, value):
            return MapOf(_with_texts(key), _with_texts(value))
        case Struct(fields):
            return Struct(tuple((name, _with_texts(field)) for name, field in fields))
        case _:
            return kind


def _lost(kind: ColumnType, texts: Column, numbers: Column) -> Column:
    """Whether some text has not become a number."""
    match kind:
        case Decimal():
            return texts.isNotNull() & numbers.isNull()
        case ListOf(element):
            return _lost_in(element, texts, numbers)
        case MapOf(_, value):
            return _lost_in(value, F.map_values(texts), F.map_values(numbers))
        case Struct(fields):
            return any_of([_lost(field, texts[name], numbers[name]) for name, field in fields])
        case _:
            return F.lit(False)


def _lost_in(element: ColumnType, texts: Column, numbers: Column) -> Column:
    lost = F.zip_with(texts, numbers, lambda text, number: _lost(element, text, number))
    return F.exists(lost, lambda one: F.coalesce(one, F.lit(False)))
