"""What ClickHouse keeps of a followed table: its columns, its own beside them, and the statements that make it so."""

import re
from collections.abc import Iterable, Iterator, Mapping

from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.stream.targets import DELTAS_SUFFIX, REBUILT_SUFFIX, VIEW_SUFFIX, own_name
from boathouse.pipelines.types import ColumnType, Decimal, ListOf, Primitive, widens

_TYPES = {
    "boolean": "Bool",
    "int": "Int32",
    "long": "Int64",
    "float": "Float32",
    "double": "Float64",
    "date": "Date32",
    "timestamp": "DateTime64(6)",
    "timestamptz": "DateTime64(6, 'UTC')",
}
OWN = {
    "_lsn": "UInt64",
    "_place": "UInt64 DEFAULT _lsn",
    "_deleted": "UInt8",
    "_source_at": "Nullable(DateTime64(3, 'UTC'))",
    "_kafka_at": "DateTime64(3, 'UTC')",
    "_written_at": "DateTime64(3, 'UTC') DEFAULT now64(3)",
}
AT_THE_ENDS = {"date_time_overflow_behavior": "saturate"}
"""A date before the first that ClickHouse has becomes the first, one after the last the last: it would refuse the insert."""
# What ClickHouse keeps the latest by: where a change counts as made, and where it is in the log.
ORDER = {"_order": "UInt128 MATERIALIZED bitShiftLeft(toUInt128(_place), 64) + _lsn"}
SIGN = "_sign"
_OUTER = re.compile(r"(?P<name>Nullable|Array)\((?P<inner>.*)\)")
_DECIMAL = re.compile(r"Decimal\((\d+), *(\d+)\)")
REMEMBERED = 1000
"""So many of the last inserts into a table are known again by their tokens; a crash repeats one."""


def column_type(kind: ColumnType, *, key: bool = False) -> str:
    match kind:
        case ListOf(element):
            return f"Array({column_type(element)})"
        case Decimal(precision, scale):
            plain = f"Decimal({precision}, {scale})"
        case Primitive(name):
            plain = _TYPES.get(name, "String")
        case _:
            plain = "String"
    return plain if key else f"Nullable({plain})"


def known_columns(table: SourceTable, there: Mapping[str, str]) -> dict[str, ColumnType]:
    """What the table has in ClickHouse, in our types: the source's where they are kept alike."""
    mine = {name: kind for name, kind in there.items() if name not in OWN | ORDER}
    wanted = columns_of(table)
    return {
        name: table.columns[name] if name in wanted and _same(wanted[name], kind) else _known_type(kind)
        for name, kind in mine.items()
    }


def known_key(there: Mapping[str, str]) -> tuple[str, ...]:
    """Every other column may be null, or is a list."""
    return tuple(
        name for name, kind in there.items() if name not in OWN | ORDER and not kind.startswith(("Nullable", "Array"))
    )


def _known_type(kind: str) -> ColumnType:
    if outer := _OUTER.fullmatch(kind):
        inner = _known_type(outer["inner"])
        return ListOf(inner) if outer["name"] == "Array" else inner
    if decimal := _DECIMAL.fullmatch(kind):
        return Decimal(int(decimal[1]), int(decimal[2]))
    return Primitive(next((name for name, text in _TYPES.items() if _same(text, kind)), "string"))


def quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def full(database: str, name: str) -> str:
    return f"{quoted(database)}.{quoted(name)}"


def create_table(database: str, table: SourceTable, name: str | None = None) -> str:
    listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in {**columns_of(table), **OWN, **ORDER}.items())
    key = ", ".join(map(quoted, table.key))
    return (
        f"CREATE TABLE IF NOT EXISTS {full(database, name or own_name(table.name))} ({listed}) "
        f"ENGINE = ReplacingMergeTree(_order, _deleted) ORDER BY ({key}) "
        f"SETTINGS non_replicated_deduplication_window = {REMEMBERED}"
    )


def columns_of(table: SourceTable) -> dict[str, str]:
    return {name: column_type(kind, key=name in table.key) for name, kind in table.columns.items()}


def is_outdated(table: SourceTable, there: Mapping[str, str]) -> bool:
    """Whether ClickHouse cannot make of it what it should be: its key has become wider, or it does not know its order yet."""
    wanted = columns_of(table)
    return not there.keys() >= ORDER.keys() or any(
        name in there and not _same(there[name], wanted[name]) for name in table.key
    )


def rebuild(database: str, table: SourceTable, there: Mapping[str, str]) -> Iterator[str]:
    """The table anew with its rows, put in the place of the old one as a whole."""
    name = own_name(table.name)
    old, new = full(database, name), full(database, name + REBUILT_SUFFIX)
    kept = ", ".join(quoted(column) for column in there if column not in ORDER)
    yield drop_rebuilt(database, table)
    yield create_table(database, table, name + REBUILT_SUFFIX)
    yield f"INSERT INTO {new} ({kept}) SELECT {kept} FROM {old}"  # noqa: S608 - every name is quoted
    yield f"EXCHANGE TABLES {old} AND {new}"
    yield drop_rebuilt(database, table)


def drop_rebuilt(database: str, table: SourceTable) -> str:
    """However large it is: unless told otherwise, ClickHouse refuses that from 50 GB on."""
    return f"DROP TABLE IF EXISTS {full(database, own_name(table.name) + REBUILT_SUFFIX)} SETTINGS max_table_size_to_drop = 0"


def alterations(database: str, name: str, wanted: Mapping[str, str], there: Mapping[str, str]) -> Iterator[str]:
    """Columns that it lacks, and those that have become wider. `there` is what it has."""
    for column, kind in wanted.items():
        if column not in there:
            yield f"ALTER TABLE {full(database, name)} ADD COLUMN {quoted(column)} {kind}"
        elif not _same(there[column], kind) and not _loses(there[column], kind):
            yield f"ALTER TABLE {full(database, name)} MODIFY COLUMN {quoted(column)} {kind}"


def _loses(old: str, new: str) -> bool:
    """Whether values would not all be there any more: ClickHouse makes null of a text that is no number. New ones fit the old."""
    was, is_now = _known_type(old), _known_type(new)
    return widens(is_now, was) or (is_now != was == Primitive("string"))


def _same(one: str, other: str) -> bool:
    return one.replace(" ", "") == other.replace(" ", "")


def create_rollup(database: str, table: SourceTable, rollup: Rollup) -> Iterator[str]:
    """Sums of what each change adds and takes away, so that the order of changes does not matter to them.

    The deltas go through a table that keeps nothing. A repeated insert is known by its token in the table of the sums.
    """
    deltas = full(database, own_name(table.name) + DELTAS_SUFFIX)
    select = summed(database, table, rollup)
    listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in {**columns_of(table), SIGN: "Int8"}.items())
    yield f"CREATE TABLE IF NOT EXISTS {deltas} ({listed}) ENGINE = Null"
    target = full(database, rollup.name)
    yield (
        f"CREATE TABLE IF NOT EXISTS {target} ENGINE = SummingMergeTree ORDER BY ({_listed(rollup.by)}) "
        f"SETTINGS non_replicated_deduplication_window = {REMEMBERED}, allow_nullable_key = 1 EMPTY AS {select}"
    )
    yield f"CREATE MATERIALIZED VIEW IF NOT EXISTS {full(database, rollup.name + VIEW_SUFFIX)} TO {target} AS {select}"


def summed(database: str, table: SourceTable, rollup: Rollup) -> str:
    """What its view makes of each change."""
    return _summed(rollup, full(database, own_name(table.name) + DELTAS_SUFFIX))


def asks(table: SourceTable, rollup: Rollup) -> Iterator[tuple[str, str, str]]:
    """For each of its expressions, and in the end for all of it, what it is called in the spec, how it reads, and a query that has it."""
    kinds = {**columns_of(table), SIGN: "Int8"}
    columns = (
        f"materialize(defaultValueOfTypeName({_literal(kind)})) AS {quoted(name)}" for name, kind in kinds.items()
    )
    rows = f"(SELECT {', '.join(columns)})"
    for part, expressions in (("by", rollup.by), ("sums", rollup.sums)):
        for name, expression in expressions.items():
            yield f"{part}.{name}", expression, f"SELECT ({expression}) FROM {rows}"  # noqa: S608 - its author writes the expressions
    yield "sums", ", ".join(rollup.sums.values()), _summed(rollup, rows)


def are_of_other_types(wanted: Mapping[str, str], there: Mapping[str, str]) -> bool:
    return any(name in there and not _same(there[name], kind) for name, kind in wanted.items())


def drop_deltas(database: str, table: SourceTable, rollups: Iterable[Rollup]) -> Iterator[str]:
    """With the views that read them: they keep nothing."""
    yield from (f"DROP VIEW IF EXISTS {full(database, rollup.name + VIEW_SUFFIX)}" for rollup in rollups)
    yield f"DROP TABLE IF EXISTS {full(database, own_name(table.name) + DELTAS_SUFFIX)}"


def drop_rollup(database: str, rollup: Rollup) -> Iterator[str]:
    yield f"DROP VIEW IF EXISTS {full(database, rollup.name + VIEW_SUFFIX)}"
    yield f"DROP TABLE IF EXISTS {full(database, rollup.name)} SETTINGS max_table_size_to_drop = 0"


def count_beside(database: str, table: SourceTable, rollup: Rollup) -> Iterator[str]:
    """The sums of the rows as they stand, in a table of their own."""
    target, new = full(database, rollup.name), full(database, rollup.name + REBUILT_SUFFIX)
    rows = f"(SELECT *, toInt8(1) AS {SIGN} FROM {full(database, own_name(table.name))} FINAL)"  # noqa: S608
    yield f"DROP TABLE IF EXISTS {new}"
    yield f"CREATE TABLE {new} AS {target}"
    # As they were when they came: what a sum is of may be a date that is made of another one.
    settings = ", ".join(f"{name} = '{value}'" for name, value in AT_THE_ENDS.items())
    yield f"INSERT INTO {new} {_summed(rollup, rows)} SETTINGS {settings}"


def put_counted(database: str, rollup: Rollup, *, nothing: bool) -> Iterator[str]:
    """Them in the place of the old ones, as a whole. The table stays the same one, and with it which inserts it has had."""
    target, new = full(database, rollup.name), full(database, rollup.name + REBUILT_SUFFIX)
    # What is nothing ClickHouse refuses to put in the place of something.
    yield f"TRUNCATE TABLE {target}" if nothing else f"ALTER TABLE {target} REPLACE PARTITION tuple() FROM {new}"
    yield f"DROP TABLE {new}"


def _summed(rollup: Rollup, rows: str) -> str:
    """Its expressions are of the row alone: to ClickHouse what is computed goes before what is read, if both are called the same."""
    by = {f"__by{place}": expression for place, expression in enumerate(rollup.by.values())}
    sums = {f"__sum{place}": expression for place, expression in enumerate(rollup.sums.values())}
    of_row = ", ".join(f"({expression}) AS {own}" for own, expression in (by | sums).items())
    chosen = ", ".join(
        [
            *(f"{own} AS {quoted(name)}" for own, name in zip(by, rollup.by, strict=True)),
            "sum(toInt64(__sign)) AS `rows`",
            *(f"sum({own} * __sign) AS {quoted(name)}" for own, name in zip(sums, rollup.sums, strict=True)),
        ]
    )
    computed = f"SELECT {of_row}, {SIGN} AS __sign FROM {rows}"  # noqa: S608 - its author writes the expressions
    return f"SELECT {chosen} FROM ({computed}) GROUP BY {', '.join(by)}"  # noqa: S608 - likewise


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))
