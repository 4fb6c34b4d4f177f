"""Queries of a workspace: asked at once, each user's own history, and texts kept for all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place


class Query(Answer):
    id: str
    sql: str
    engine: str
    connection: str | None
    parameters: list[Json]
    values: Json
    asked_at: datetime
    run_id: str
    """Its log, progress and rows are the run's."""
    state: str
    error: str | None
    seconds: float | None
    rows: int | None
    bytes: int | None
    bytes_read: int | None


class SavedQuery(Answer):
    name: str
    sql: str
    description: str
    connection: str | None
    parameters: list[Json]
    saved_by: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class Queries:
    transport: Transport

    def ask(
        self,
        workspace: str,
        sql: str,
        *,
        connection: str | None = None,
        parameters: Sequence[Json] = (),
        values: Mapping[str, Any] | None = None,
        rows: int = 10_000,
        key: str | None = None,
    ) -> Query:
        """Ask at once; of the last result so many rows are kept. Asked twice with the same key, it is one query."""
        body = {
            "sql": sql,
            "connection": connection,
            "parameters": list(parameters),
            "values": dict(values or {}),
            "rows": rows,
            **({"key": key} if key is not None else {}),
        }
        return self.transport.ask("POST", _place(workspace), Query, body)

    def all(self, workspace: str, *, text: str | None = None) -> Iterator[Query]:
        """One's own, the newest first."""
        return self.transport.pages(_place(workspace), Query, {"text": text})

    def get(self, workspace: str, query_id: str) -> Query:
        return self.transport.get(_place(workspace, query_id), Query)

    def cancel(self, workspace: str, query_id: str) -> Query:
        return self.transport.ask("POST", _place(workspace, query_id, "cancel"), Query)

    def save(
        self,
        workspace: str,
        name: str,
        sql: str,
        *,
        description: str = "",
        connection: str | None = None,
        parameters: Sequence[Json] = (),
    ) -> SavedQuery:
        """Keep it for the workspace, in place of one of the same name."""
        body = {"sql": sql, "description": description, "connection": connection, "parameters": list(parameters)}
        return self.transport.ask("PUT", _saved(workspace, name), SavedQuery, body)

    def change_saved(
        self, workspace: str, name: str, *, new_name: str | None = None, description: str | None = None
    ) -> SavedQuery:
        """Call it something else, or say what it is for."""
        body = {"name": new_name, "description": description}
        return self.transport.ask("PATCH", _saved(workspace, name), SavedQuery, body)

    def saved(self, workspace: str) -> Iterator[SavedQuery]:
        return self.transport.pages(_saved(workspace), SavedQuery)

    def get_saved(self, workspace: str, name: str) -> SavedQuery:
        return self.transport.get(_saved(workspace, name), SavedQuery)

    def delete_saved(self, workspace: str, name: str) -> None:
        self.transport.tell("DELETE", _saved(workspace, name))


def _place(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "queries", *parts)


def _saved(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "saved-queries", *parts)
