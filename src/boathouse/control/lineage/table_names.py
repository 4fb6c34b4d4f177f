"""What a dataset is called that a statement names in parts: by the rules of the engine that carries it out."""

from typing import ClassVar, Protocol

from boathouse.kit.errors import InvalidInput
from boathouse.kit.objects import canonical_url

Parts = tuple[str, ...]
_FIRST_NAMESPACE = ("default",)
# `sales.orders.snapshots` asks about the table `sales.orders`.
_ABOUT_TABLES = frozenset(
    [
        "entries",
        "files",
        "data_files",
        "delete_files",
        "history",
        "metadata_log_entries",
        "snapshots",
        "manifests",
        "partitions",
        "refs",
        "position_deletes",
        "all_entries",
        "all_files",
        "all_data_files",
        "all_delete_files",
        "all_manifests",
    ]
)
# `parquet.`s3a://…`` reads files in place.
_FORMATS = frozenset({"parquet", "csv", "json", "orc", "avro", "text", "binaryfile", "delta"})


class TableNames(Protocol):
    dialect: ClassVar[str]

    def use(self, parts: Parts) -> None:
        """As USE says, from here on."""
        ...

    def name(self, parts: Parts) -> str | None:
        """Of a dataset; None if that cannot be known."""
        ...


class SparkNames:
    """The lake's catalog is in use from the start, and what is not in it has a name of more parts."""

    dialect: ClassVar[str] = "spark"

    def __init__(self, lake: str) -> None:
        self._lake = lake
        self._namespace = _FIRST_NAMESPACE

    def use(self, parts: Parts) -> None:
        self._namespace = self._own(parts) or self._namespace

    def name(self, parts: Parts) -> str | None:
        if len(parts) == 2 and parts[0].lower() in _FORMATS and "/" in parts[1]:
            return _one_spelling(parts[1])
        parts = self._own(parts)
        if len(parts) == 1:
            parts = (*self._namespace, *parts)
        if len(parts) > 2 and parts[-1].lower() in _ABOUT_TABLES:
            parts = parts[:-1]
        return ".".join(parts)

    def _own(self, parts: Parts) -> Parts:
        return parts[1:] if len(parts) > 1 and parts[0] == self._lake else parts


class TrinoNames:
    """A name has a catalog, a schema and a table. The catalog that is called as the lake's own is taken for it."""

    dialect: ClassVar[str] = "trino"

    def __init__(self, lake: str, catalog: str | None) -> None:
        self._lake = lake
        self._catalog = catalog
        self._schema: str | None = None

    def use(self, parts: Parts) -> None:
        *catalog, self._schema = parts
        self._catalog = catalog[0] if catalog else self._catalog

    def name(self, parts: Parts) -> str | None:
        before = (self._catalog, self._schema)[: max(3 - len(parts), 0)]
        whole = [part for part in (*before, *parts) if part is not None]
        if len(whole) != 3:
            return None
        # Trino knows no case in names, and "orders$snapshots" is about orders.
        catalog, schema, table = (part.lower() for part in whole)
        table = table.partition("$")[0]
        return f"{schema}.{table}" if catalog == self._lake.lower() else f"{catalog}.{schema}.{table}"


def _one_spelling(location: str) -> str:
    try:
        return canonical_url(location)
    except InvalidInput:
        return location
