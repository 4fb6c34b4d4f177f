"""Column types as a spec writes them, read into a tree and written as Spark's DDL or as Iceberg's JSON."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

# The name in a spec (and in Spark) → the name in Iceberg.
PRIMITIVES = {
    "boolean": "boolean",
    "tinyint": "int",
    "smallint": "int",
    "int": "int",
    "integer": "int",
    "bigint": "long",
    "long": "long",
    "float": "float",
    "double": "double",
    "string": "string",
    "binary": "binary",
    "date": "date",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
}
# Spark's name for what Iceberg stores: what `tinyint` reads back as.
SPARK_NAMES = {
    "boolean": "boolean",
    "int": "int",
    "long": "bigint",
    "float": "float",
    "double": "double",
    "string": "string",
    "binary": "binary",
    "date": "date",
    "timestamptz": "timestamp",
    "timestamp": "timestamp_ntz",
}
# What Spark's JSON calls types that the other table knows by their SQL names.
SPARK_JSON_NAMES = {"byte": "int", "short": "int"}
MAX_PRECISION = 38

_TOKEN = re.compile(r"\s*(?:(`(?:[^`]|``)+`)|([A-Za-z_][A-Za-z0-9_]*)|(\d+)|([<>(),:]))")


@dataclass(frozen=True)
class Primitive:
    """By Iceberg's name, such as `long` or `timestamptz`."""

    name: str


@dataclass(frozen=True)
class Decimal:
    precision: int
    scale: int


@dataclass(frozen=True)
class ListOf:
    element: "ColumnType"


@dataclass(frozen=True)
class MapOf:
    key: "ColumnType"
    value: "ColumnType"


@dataclass(frozen=True)
class Struct:
    fields: tuple[tuple[str, "ColumnType"], ...]


ColumnType = Primitive | Decimal | ListOf | MapOf | Struct


def parse_type(text: str) -> ColumnType:
    """Read a type such as `decimal(10,2)` or `array<struct<a:int>>`; ValueError says what is wrong."""
    reader = _Reader(text)
    try:
        kind = reader.type()
    except RecursionError:
        raise ValueError("the type is nested too deeply") from None
    reader.end()
    return kind


def spark_type(kind: ColumnType) -> str:
    """The type in Spark's DDL."""
    match kind:
        case Primitive(name):
            # A table made elsewhere may have a type, such as uuid, that no spec can name.
            return SPARK_NAMES.get(name, name)
        case Decimal(precision, scale):
            return f"decimal({precision},{scale})"
        case ListOf(element):
            return f"array<{spark_type(element)}>"
        case MapOf(key, value):
            return f"map<{spark_type(key)},{spark_type(value)}>"
        case Struct(fields):
            return f"struct<{','.join(f'{quoted(name)}:{spark_type(field)}' for name, field in fields)}>"


def quoted(name: str) -> str:
    """A name as Spark SQL takes it whatever it holds."""
    return "`" + name.replace("`", "``") + "`"


def iceberg_schema(columns: dict[str, ColumnType]) -> dict[str, Any]:
    """A schema for a create request; the catalog gives the fields their final ids."""
    counter = itertools.count(1)
    return {"type": "struct", "schema-id": 0, "fields": _iceberg_fields(tuple(columns.items()), counter)}


def from_iceberg(kind: Any) -> ColumnType:
    """The type that a field of table metadata has."""
    if isinstance(kind, str):
        decimal = re.fullmatch(r"decimal\((\d+),\s*(\d+)\)", kind)
        return Decimal(int(decimal[1]), int(decimal[2])) if decimal else Primitive(kind)
    if kind["type"] == "list":
        return ListOf(from_iceberg(kind["element"]))
    if kind["type"] == "map":
        return MapOf(from_iceberg(kind["key"]), from_iceberg(kind["value"]))
    return Struct(tuple((field["name"], from_iceberg(field["type"])) for field in kind["fields"]))


def from_spark(kind: Any) -> ColumnType:
    """The type that Spark describes in JSON; ValueError names one that no table can hold.

    Spark's own text would not do: it leaves the names of fields unquoted, whatever they hold.
    """
    if isinstance(kind, str):
        decimal = re.fullmatch(r"decimal\((\d+),\s*(-?\d+)\)", kind)
        if decimal:
            return Decimal(int(decimal[1]), int(decimal[2]))
        name = SPARK_JSON_NAMES.get(kind) or PRIMITIVES.get(kind)
        if name is None:
            raise ValueError(f"a table cannot hold Spark's type {kind}")
        return Primitive(name)
    if kind["type"] == "array":
        return ListOf(from_spark(kind["elementType"]))
    if kind["type"] == "map":
        return MapOf(from_spark(kind["keyType"]), from_spark(kind["valueType"]))
    return Struct(tuple((field["name"], from_spark(field["type"])) for field in kind["fields"]))


def widens(old: ColumnType, new: ColumnType) -> bool:
    """Whether a column of `old` may become `new` without rewriting a file (Iceberg's promotions)."""
    match old, new:
        case Primitive("int"), Primitive("long"):
            return True
        case Primitive("float"), Primitive("double"):
            return True
        case Decimal(precision, scale), Decimal(wider, same):
            return same == scale and wider > precision
        case _:
            return False


def fits(value: ColumnType, column: ColumnType) -> bool:
    """Whether values of `value` can be written to a column of `column` as it stands."""
    return value == column or widens(value, column)


def is_number(kind: ColumnType) -> bool:
    return is_exact(kind) or kind in (Primitive("float"), Primitive("double"))


def is_exact(kind: ColumnType) -> bool:
    """Whether its values are numbers that are equal or not, without being near."""
    return isinstance(kind, Decimal) or kind in (Primitive("int"), Primitive("long"))


def _iceberg_fields(fields: tuple[tuple[str, ColumnType], ...], counter: Iterator[int]) -> list[dict[str, Any]]:
    numbered = [(next(counter), name, kind) for name, kind in fields]
    return [
        {"id": number, "name": name, "required": False, "type": _iceberg_type(kind, counter)}
        for number, name, kind in numbered
    ]


def _iceberg_type(kind: ColumnType, counter: Iterator[int]) -> Any:
    match kind:
        case Primitive(name):
            return name
        case Decimal(precision, scale):
            return f"decimal({precision}, {scale})"
        case ListOf(element):
            number = next(counter)
            body = _iceberg_type(element, counter)
            return {"type": "list", "element-id": number, "element": body, "element-required": False}
        case MapOf(key, value):
            numbers = next(counter), next(counter)
            return {
                "type": "map",
                "key-id": numbers[0],
                "key": _iceberg_type(key, counter),
                "value-id": numbers[1],
                "value": _iceberg_type(value, counter),
                "value-required": False,
            }
        case Struct(fields):
            return {"type": "struct", "fields": _iceberg_fields(fields, counter)}


class _Reader:
    """A recursive-descent reader of the type grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split(text))
        self._at = 0

    def type(self) -> ColumnType:
        name = self._word().lower()
        readers: dict[str, Callable[[], ColumnType]] = {
            "decimal": self._decimal,
            "numeric": self._decimal,
            "array": self._list,
            "map": self._map,
            "struct": self._struct,
        }
        if name in readers:
            return readers[name]()
        if name not in PRIMITIVES:
            known = ", ".join([*PRIMITIVES, "decimal(p,s)", "array<…>", "map<…,…>", "struct<name:type,…>"])
            raise ValueError(f"{name!r} is not a type; the types are {known}")
        return Primitive(PRIMITIVES[name])

    def end(self) -> None:
        if self._at < len(self._tokens):
            raise ValueError(f"{self._text!r} has more after the type: {self._tokens[self._at]!r}")

    def _decimal(self) -> ColumnType:
        if not self._take("("):
            raise ValueError("a decimal needs its digits, such as decimal(10,2): 10 in all, 2 of them after the point")
        precision = self._number()
        scale = self._number() if self._take(",") else 0
        self._need(")")
        if not 1 <= precision <= MAX_PRECISION or scale > precision:
            raise ValueError(f"decimal({precision},{scale}) is out of range: precision is 1 to 38, scale at most that")
        return Decimal(precision, scale)

    def _list(self) -> ColumnType:
        self._need("<")
        element = self.type()
        self._need(">")
        return ListOf(element)

    def _map(self) -> ColumnType:
        self._need("<")
        key = self.type()
        self._need(",")
        value = self.type()
        self._need(">")
        return MapOf(key, value)

    def _struct(self) -> ColumnType:
        self._need("<")
        fields: list[tuple[str, ColumnType]] = []
        while True:
            name = self._word()
            if name.lower() in (known.lower() for known, _ in fields):
                raise ValueError(f"{self._text!r} names the field {name!r} twice")
            self._take(":")
            fields.append((name, self.type()))
            if not self._take(","):
                break
        self._need(">")
        return Struct(tuple(fields))

    def _split(self, text: str) -> Iterator[str]:
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"{text!r} is not a type: cannot read it from {text[at:].strip()!r} on")
            at = match.end()
            yield match.group(0).strip()

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, token: str) -> bool:
        if self._peek() != token:
            return False
        self._at += 1
        return True

    def _need(self, token: str) -> None:
        if not self._take(token):
            raise ValueError(f"{self._text!r} is not a type: expected {token!r} before {self._peek() or 'its end'!r}")

    def _word(self) -> str:
        token = self._peek()
        if token is None or not (token[0].isalpha() or token[0] in "_`"):
            raise ValueError(f"{self._text!r} is not a type: expected a name before {token or 'its end'!r}")
        self._at += 1
        return token[1:-1].replace("``", "`") if token[0] == "`" else token

    def _number(self) -> int:
        token = self._peek()
        if token is None or not token.isdigit():
            raise ValueError(f"{self._text!r} is not a type: expected a number before {token or 'its end'!r}")
        self._at += 1
        return int(token)
