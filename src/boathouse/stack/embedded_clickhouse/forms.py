"""Queries that come as a form: with parameters too long for an address, or with tables of their own to be joined."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from starlette.datastructures import FormData, UploadFile

from boathouse.stack.embedded_clickhouse.engine import Connection
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.questions import checked_format
from boathouse.stack.embedded_clickhouse.sql_text import named

LONGEST_FIELD = 16 << 20
_PIECE = 1 << 20
# What may stand between the brackets of a table's definition; a bracket too many would end them.
_STRUCTURE = re.compile(r"[\w\s,.'`\"=()-]+")


@dataclass(frozen=True)
class ExternalTable:
    name: str
    structure: str
    format: str
    file: BinaryIO

    def make(self, connection: Connection) -> None:
        connection.run(f"CREATE TEMPORARY TABLE {named(self.name)} ({self.structure})")
        connection.insert(f"INSERT INTO {named(self.name)}", self.format, self._pieces())

    def drop(self, connection: Connection) -> None:
        connection.run(f"DROP TEMPORARY TABLE IF EXISTS {named(self.name)}")

    def _pieces(self) -> Iterator[bytes]:
        self.file.seek(0)
        while piece := self.file.read(_PIECE):
            yield piece


def fields_of(form: FormData) -> dict[str, str]:
    return {name: value for name, value in form.items() if isinstance(value, str)}


def tables_of(form: FormData, parameters: Mapping[str, str]) -> list[ExternalTable]:
    files: dict[str, Any] = {name: value for name, value in form.items() if isinstance(value, UploadFile)}
    return [_table(name, upload.file, parameters) for name, upload in files.items()]


def is_about_a_table(name: str, tables: list[ExternalTable]) -> bool:
    return any(name == f"{table.name}_{what}" for table in tables for what in ("structure", "types", "format"))


def _table(name: str, file: BinaryIO, parameters: Mapping[str, str]) -> ExternalTable:
    structure = parameters.get(f"{name}_structure")
    if structure is None:
        types = parameters.get(f"{name}_types", "")
        structure = ", ".join(f"_{number} {kind}" for number, kind in enumerate(types.split(","), start=1) if kind)
    if not structure or not _STRUCTURE.fullmatch(structure) or structure.count("(") != structure.count(")"):
        raise ClickHouseError(36, "BAD_ARGUMENTS", f"The structure of the external table {name} cannot be read")
    return ExternalTable(name, structure, checked_format(parameters.get(f"{name}_format", "TabSeparated")), file)
