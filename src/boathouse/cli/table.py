"""`boathouse table`: what tables there are, and what is in them."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Annotated, Any

import typer
from rich.filesize import decimal

from boathouse.cli.output import document, facts, listing, notices
from boathouse.cli.tables import load_table, require_namespace, table_name
from boathouse.cli.values import to_text
from boathouse.cli.waiting import waiting
from boathouse.kit import table_metadata as meta
from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.partition_values import readable, transforms
from boathouse.kit.relations import all_relations, without_records
from boathouse.kit.settings import load_settings

app = typer.Typer(
    no_args_is_help=True, help="List tables and views, and look into tables.", pretty_exceptions_enable=False
)

Name = Annotated[str, typer.Argument(metavar="TABLE", help="Such as sales.orders.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]

# Seconds for one answer of the catalog: somebody sits there and waits for it.
PATIENCE = 30.0
CONTENTS = {0: "data", 1: "position deletes", 2: "equality deletes"}


@app.command(name="list")
def list_(
    namespace: Annotated[str | None, typer.Argument(help="Only what is in and below this namespace.")] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also the records that pipelines keep, and what they are still writing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the tables and views."""
    parent = tuple(namespace.split(".")) if namespace else ()
    with _catalog() as (catalog, _):
        require_namespace(catalog, parent)
        found = list(all_relations(catalog, parent, hidden=True))
    shown = found if everything else without_records(found, parent)
    rows = [(".".join(one.name.namespace), one.name.name, one.kind.value) for one in shown]
    listing(["namespace", "table", "kind"], rows, as_json=as_json)
    if hidden := len(found) - len(shown):
        many = "1 table of pipelines' records is" if hidden == 1 else f"{hidden} tables of pipelines' records are"
        notices().print(f"{many} not shown; --all shows them", style="dim")


@app.command()
def show(table: Name, *, as_json: AsJson = False) -> None:
    """Show a table's columns, partitions, size and properties."""
    with _catalog() as (catalog, access):
        name = table_name(table, access)
        metadata = load_table(catalog, name).metadata
    described = _described(name, metadata)
    if as_json:
        document(described)
        return
    columns, properties = described.pop("columns"), described.pop("properties")
    described["size"] = decimal(described.pop("bytes"))
    facts((key.replace("_", " "), _shown(value)) for key, value in described.items())
    names = ["id", "name", "type", "required", "doc"]
    listing(names, [[column[name] for name in names] for column in columns], as_json=False)
    if properties:
        listing(["property", "value"], list(properties.items()), as_json=False)


@app.command()
def history(table: Name, *, as_json: AsJson = False) -> None:
    """List a table's snapshots, newest first."""
    with _catalog() as (catalog, access):
        snapshots = list(meta.history(load_table(catalog, table_name(table, access)).metadata))
    if as_json:
        document(snapshots)
        return
    names = ["", "snapshot", "time", "operation", "rows added", "deleted", "files added", "deleted", "references"]
    listing(names, [_history_row(snapshot) for snapshot in snapshots], as_json=False)


@app.command()
def files(table: Name, *, as_json: AsJson = False) -> None:
    """List the files of a table's current snapshot."""
    with _catalog() as (catalog, access):
        name = table_name(table, access)
        metadata = load_table(catalog, name).metadata
    found = _files(access, name, transforms(metadata))
    if as_json:
        document(found)
        return
    rows = [
        (file["content"], file["records"], decimal(file["bytes"]), _partition(file["partition"]), file["path"])
        for file in found
    ]
    listing(["content", "records", "size", "partition", "path"], rows, as_json=False)
    notices().print(_summary([file["bytes"] for file in found]), style="dim", soft_wrap=True)


@contextmanager
def _catalog() -> Generator[tuple[CatalogClient, LakeAccess]]:
    access = LakeAccess.load(load_settings().home)
    said = f"waiting for the catalog at {access.catalog.uri}"
    with waiting(notices(), said), CatalogClient(access.catalog, timeout=PATIENCE) as catalog:
        yield catalog, access


def _described(name: TableName, metadata: dict[str, Any]) -> dict[str, Any]:
    summary = (meta.current_snapshot(metadata) or {}).get("summary") or {}
    return {
        "table": str(name),
        "location": metadata["location"],
        "uuid": metadata["table-uuid"],
        "format_version": metadata["format-version"],
        "changed": meta.instant(metadata["last-updated-ms"]),
        "partitions": meta.partitions(metadata),
        "records": meta.count(summary, "total-records"),
        "data_files": meta.count(summary, "total-data-files"),
        "bytes": meta.count(summary, "total-files-size"),
        "snapshots": len(metadata.get("snapshots", [])),
        "current_snapshot": (meta.current_snapshot(metadata) or {}).get("snapshot-id"),
        "columns": meta.columns(metadata),
        "properties": metadata.get("properties", {}),
    }


def _shown(value: Any) -> Any:
    return ", ".join(value) or "none" if isinstance(value, list) else value


def _history_row(snapshot: dict[str, Any]) -> list[Any]:
    mark = "*" if snapshot["current"] else ""
    counts = ("added_records", "deleted_records", "added_files", "deleted_files")
    values = [snapshot[name] for name in ("snapshot", "time", "operation", *counts)]
    return [mark, *values, ", ".join(snapshot["references"])]


def _partition(values: dict[str, Any] | None) -> str:
    return ", ".join(f"{name}={to_text(value)}" for name, value in (values or {}).items())


def _files(access: LakeAccess, name: TableName, by_name: Mapping[str, str]) -> list[dict[str, Any]]:
    """Asked of Spark, which reads the manifests; the catalog knows only where they are."""
    from boathouse.cli.results import column_names, plain_rows
    from boathouse.engines.spark.connect import open_session
    from boathouse.engines.spark.query import run
    from boathouse.engines.spark.statements import Statement

    quoted = ".".join(f"`{part}`" for part in (access.spark.catalog, *name.namespace, name.name, "files"))
    with open_session(access.spark) as session:
        result = run(session, Statement(f"SELECT * FROM {quoted} ORDER BY file_path"))  # noqa: S608 - the name is quoted
        rows = [dict(zip(column_names(result), row, strict=True)) for row in plain_rows(result)]
    return [
        {
            "content": CONTENTS.get(row["content"], str(row["content"])),
            "path": row["file_path"],
            "format": row["file_format"],
            "records": row["record_count"],
            "bytes": row["file_size_in_bytes"],
            "partition": readable(row.get("partition"), by_name),
        }
        for row in rows
    ]


def _summary(sizes: Sequence[int]) -> str:
    if not sizes:
        return "no files"
    spread = " / ".join(decimal(int(size)) for size in (min(sizes), median(sizes), max(sizes)))
    files = "1 file" if len(sizes) == 1 else f"{len(sizes):,} files"
    return f"{files}, {decimal(sum(sizes))}; smallest / median / largest {spread}"
