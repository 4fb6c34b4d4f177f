"""Which jobs of a workspace read and write which datasets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place


class Node(Answer):
    id: str
    kind: str
    name: str
    namespace: str | None
    registered: bool


class Edge(Answer):
    source: str
    target: str
    last_run: str | None
    last_at: datetime


class Graph(Answer):
    nodes: list[Node]
    edges: list[Edge]
    complete: bool


class Use(Answer):
    dataset: str
    last_run: str | None
    last_at: datetime
    registered: bool


class JobLineage(Answer):
    reads: list[Use]
    writes: list[Use]


@dataclass(frozen=True)
class Lineage:
    transport: Transport

    def of_dataset(self, workspace: str, dataset: str, *, way: str = "both", depth: int = 3) -> Graph:
        query = {"dataset": dataset, "way": way, "depth": depth}
        return self.transport.get(place("workspaces", workspace, "lineage"), Graph, query)

    def of_job(self, workspace: str, job: str) -> JobLineage:
        return self.transport.get(place("workspaces", workspace, "jobs", job, "lineage"), JobLineage)

    def events(self, workspace: str, run_id: str) -> list[Json]:
        """A run as OpenLineage tells it."""
        return self.transport.get(place("workspaces", workspace, "runs", run_id, "openlineage"), list[Json])

    def tell(self, workspace: str, event: Mapping[str, Any]) -> None:
        """An event of OpenLineage."""
        self.transport.ask("POST", place("workspaces", workspace, "lineage"), Json, dict(event))
