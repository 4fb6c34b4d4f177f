"""The graph of lineage, followed from a dataset up and down."""

from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.datasets import repository as datasets
from boathouse.control.lineage import repository
from boathouse.control.lineage.models import Direction, LineageEdge
from boathouse.control.lineage.schemas import Edge, Graph, JobLineage, Node, NodeKind, UseTold

# More than anybody can look at.
MOST_EDGES = 1000

_QUERIES = "queries"


class Way(StrEnum):
    UP = "up"
    """Where it comes from."""
    DOWN = "down"
    """What is made of it."""
    BOTH = "both"


async def graph(session: AsyncSession, scope: Scope, dataset: str, way: Way, depth: int) -> Graph:
    """From the dataset to those that are `depth` jobs away."""
    found: dict[str, LineageEdge] = {}
    complete = True
    for one in (Way.UP, Way.DOWN):
        if way in {one, Way.BOTH}:
            complete = await _follow(session, scope, dataset, one, depth=depth, found=found) and complete
    names = {edge.dataset for edge in found.values()} | {dataset}
    known = await datasets.known(session, scope.workspace_id, names)
    nodes = [_dataset_node(name, registered=name in known) for name in sorted(names)]
    jobs = {_job_id(edge): _job_node(edge) for edge in found.values()}
    return Graph(
        nodes=[*nodes, *(jobs[name] for name in sorted(jobs))],
        edges=[_edge(edge) for _, edge in sorted(found.items())],
        complete=complete,
    )


async def of_job(session: AsyncSession, scope: Scope, name: str) -> JobLineage:
    found = await repository.edges_of_jobs(session, scope.workspace_id, {("", name)}, MOST_EDGES)
    known = await datasets.known(session, scope.workspace_id, {edge.dataset for edge in found})
    told = {
        direction: [
            UseTold(
                dataset=edge.dataset,
                last_run=edge.last_run,
                last_at=edge.last_at,
                registered=edge.dataset in known,
            )
            for edge in sorted(found, key=lambda one: one.dataset)
            if edge.direction is direction
        ]
        for direction in Direction
    }
    return JobLineage(reads=told[Direction.READS], writes=told[Direction.WRITES])


async def _follow(
    session: AsyncSession, scope: Scope, start: str, way: Way, *, depth: int, found: dict[str, LineageEdge]
) -> bool:
    """Two queries a step, however wide the graph is; whether all of it was found."""
    towards, onwards = (Direction.WRITES, Direction.READS) if way is Way.UP else (Direction.READS, Direction.WRITES)
    seen, here = {start}, {start}
    workspace = scope.workspace_id
    for _ in range(depth):
        near = await repository.edges_of_datasets(session, workspace, towards, here, MOST_EDGES)
        jobs = {(edge.namespace, edge.job) for edge in near}
        # What anybody asks reads much and writes little of it: following queries would tie everything together.
        jobs.discard(("", ""))
        far = await repository.edges_of_jobs(session, workspace, jobs, MOST_EDGES, onwards) if jobs else []
        found |= {edge.id: edge for edge in (*near, *far)}
        if len(near) == MOST_EDGES or len(far) == MOST_EDGES or len(found) > MOST_EDGES:
            return False
        here = {edge.dataset for edge in far} - seen
        seen |= here
        if not here:
            return True
    return True


def _dataset_node(name: str, *, registered: bool) -> Node:
    return Node(id=f"dataset:{name}", kind=NodeKind.DATASET, name=name, registered=registered)


def _job_node(edge: LineageEdge) -> Node:
    if _is_query(edge):
        return Node(id=_job_id(edge), kind=NodeKind.QUERIES, name="queries")
    return Node(id=_job_id(edge), kind=NodeKind.JOB, name=edge.job, namespace=edge.namespace or None)


def _job_id(edge: LineageEdge) -> str:
    return _QUERIES if _is_query(edge) else f"job:{edge.namespace}:{edge.job}"


def _is_query(edge: LineageEdge) -> bool:
    return not edge.namespace and not edge.job


def _edge(edge: LineageEdge) -> Edge:
    ends = (f"dataset:{edge.dataset}", _job_id(edge))
    source, target = ends if edge.direction is Direction.READS else ends[::-1]
    run = None if _is_query(edge) else edge.last_run
    return Edge(source=source, target=target, last_run=run, last_at=edge.last_at)
