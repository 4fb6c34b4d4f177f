"""What ClickHouse keeps of a followed table: its columns, its own beside them, and the statements that make it so."""

from collections.abc import Iterator, Mapping

from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.types import ColumnType, Decimal, ListOf, Primitive

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
    "_deleted": "UInt8",
    "_source_at": "Nullable(DateTime64(3, 'UTC'))",
    "_kafka_at": "DateTime64(3, 'UTC')",
    "_written_at": "DateTime64(3, 'UTC') DEFAULT now64(3)",
}
SIGN = "_sign"
DELTAS_SUFFIX = "__deltas"
# So many of the last inserts are known again by their tokens; a crash repeats one.
_REMEMBERED = 1000


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


def name_of(source: str) -> str:
    schema, _, name = source.partition(".")
    return name if schema == "public" else f"{schema}_{name}"


def quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def full(database: str, name: str) -> str:
    return f"{quoted(database)}.{quoted(name)}"


def create_table(database: str, table: SourceTable) -> str:
    columns = {name: column_type(kind, key=name in table.key) for name, kind in table.columns.items()} | OWN
    listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
    key = ", ".join(map(quoted, table.key))
    return (
        f"CREATE TABLE IF NOT EXISTS {full(database, name_of(table.name))} ({listed}) "
        f"ENGINE = ReplacingMergeTree(_lsn, _deleted) ORDER BY ({key}) "
        f"SETTINGS non_replicated_deduplication_window = {_REMEMBERED}"
    )


def alterations(database: str, table: SourceTable, there: Mapping[str, str]) -> Iterator[str]:
    """Columns that it lacks, and those that have become wider. `there` is what it has, by name."""
    for name, kind in table.columns.items():
        wanted = column_type(kind, key=name in table.key)
        if name not in there:
            yield f"ALTER TABLE {full(database, name_of(table.name))} ADD COLUMN {quoted(name)} {wanted}"
        elif name not in table.key and there[name].replace(" ", "") != wanted.replace(" ", ""):
            yield f"ALTER TABLE {full(database, name_of(table.name))} MODIFY COLUMN {quoted(name)} {wanted}"


def create_rollup(database: str, table: SourceTable, rollup: Rollup) -> Iterator[str]:
    """Sums of what each change adds and takes away, so that the order of changes does not matter to them.

    The deltas go through a table that keeps nothing. A repeated insert is known by its token in the table of the sums.
    """
    deltas = full(database, name_of(table.name) + DELTAS_SUFFIX)
    kinds = {name: column_type(kind, key=name in table.key) for name, kind in table.columns.items()}
    listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in {**kinds, SIGN: "Int8"}.items())
    yield f"CREATE TABLE IF NOT EXISTS {deltas} ({listed}) ENGINE = Null"
    by = ", ".join(f"{expression} AS {quoted(name)}" for name, expression in rollup.by.items())
    sums = [f"sum(({expression}) * {SIGN}) AS {quoted(name)}" for name, expression in rollup.sums.items()]
    chosen = ", ".join([by, f"sum(toInt64({SIGN})) AS `rows`", *sums])
    key = ", ".join(map(quoted, rollup.by))
    select = f"SELECT {chosen} FROM {deltas} GROUP BY {key}"  # noqa: S608 - its author writes the expressions
    target = full(database, rollup.name)
    yield (
        f"CREATE TABLE IF NOT EXISTS {target} ENGINE = SummingMergeTree ORDER BY ({key}) "
        f"SETTINGS non_replicated_deduplication_window = {_REMEMBERED}, allow_nullable_key = 1 EMPTY AS {select}"
    )
    yield f"CREATE MATERIALIZED VIEW IF NOT EXISTS {full(database, rollup.name + '__view')} TO {target} AS {select}"
