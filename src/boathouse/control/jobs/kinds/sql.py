"""Statements in SQL, on the lake's own Spark or on another engine through a connection."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from boathouse.control.connections.needed import NeededConnection
from boathouse.control.connections.schemas import ConnectionName
from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.touched import Touched

ENGINE = "spark"
ENGINE_OF_CONNECTIONS = "trino"
"""And the kind of the connections."""


class SqlSpec(Spec):
    sql: str = Field(min_length=1, max_length=500_000, description="Statements, with `;` between them.")
    rows: int = Field(default=10_000, ge=0, le=1_000_000, description="Of the last result, how many are kept.")
    connection: ConnectionName | None = Field(
        default=None, description="Of the kind trino, to run there. The lake's own Spark if left out."
    )


class Sql(Kind):
    name: ClassVar[str] = "sql"
    title: ClassVar[str] = "SQL"
    spec: ClassVar[type[Spec]] = SqlSpec

    def needs(self, spec: Mapping[str, Any]) -> list[NeededConnection]:
        name = spec.get("connection")
        return [] if name is None else [NeededConnection(name, ENGINE_OF_CONNECTIONS)]

    def execute(self, attempt: Attempt) -> None:
        """One statement after another; parameters go in as `:name`, never by changing the text."""
        spec = SqlSpec.model_validate(dict(attempt.spec))
        if spec.connection is None:
            from boathouse.control.jobs.kinds.sql_on_spark import execute
        else:
            from boathouse.control.jobs.kinds.sql_on_trino import execute
        execute(attempt, spec.sql, spec.rows)

    def touched(self, attempt: Attempt) -> Touched:
        spec = SqlSpec.model_validate(dict(attempt.spec))
        if spec.connection is None:
            from boathouse.control.jobs.kinds.sql_on_spark import touched
        else:
            from boathouse.control.jobs.kinds.sql_on_trino import touched
        return touched(attempt, spec.sql)
