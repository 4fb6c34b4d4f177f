"""Lineage as it is told."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel


class NodeKind(StrEnum):
    DATASET = "dataset"
    JOB = "job"
    QUERIES = "queries"
    """What people asked at once, together: a history is its asker's own."""


class Node(BaseModel):
    id: str
    kind: NodeKind
    name: str
    namespace: str | None = None
    """Of a job that is not ours, as OpenLineage has it."""
    registered: bool = False
    """Whether a dataset of this workspace has the name."""


class Edge(BaseModel):
    """Along the data: from a dataset to who reads it, or from who writes to the dataset."""

    source: str
    target: str
    last_run: str | None
    """None for queries."""
    last_at: datetime


class Graph(BaseModel):
    nodes: list[Node]
    edges: list[Edge]
    complete: bool
    """False if there is more of it than is told at once."""


class UseTold(BaseModel):
    dataset: str
    last_run: str | None
    last_at: datetime
    registered: bool


class JobLineage(BaseModel):
    """What a job reads and writes, as its runs that succeeded told."""

    reads: list[UseTold]
    writes: list[UseTold]


class Told(BaseModel):
    """What became of an event."""

    run: str
    datasets: int
    """That the run has told of by now."""
