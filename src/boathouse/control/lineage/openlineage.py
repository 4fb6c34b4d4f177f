"""Events of OpenLineage (2-0-2): those of others as they come in, and those of our runs as they would go out."""

from datetime import datetime
from enum import StrEnum
from importlib.metadata import version
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from boathouse.control.http.moments import AwareInstant
from boathouse.control.jobs.kinds import STREAMS
from boathouse.control.lineage.models import Direction, LineageUse
from boathouse.control.runs.models import Run, Trigger
from boathouse.control.runs.states import ENDED, State

_SPEC = "https://openlineage.io/spec"
_PRODUCER = f"https://pypi.org/project/boathouse/{version('boathouse')}"
_OURS = "boathouse://"
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Facets = Annotated[dict[str, Any], Field(max_length=200)]


class EventType(StrEnum):
    START = "START"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    ABORT = "ABORT"
    FAIL = "FAIL"
    OTHER = "OTHER"


class Part(BaseModel):
    """The specification lets everybody add fields of their own."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class EventRun(Part):
    runId: UUID  # noqa: N815 - as the specification has it
    facets: Facets | None = None


class EventJob(Part):
    namespace: Text
    name: Text
    facets: Facets | None = None


class EventDataset(Part):
    namespace: Text
    name: Text
    facets: Facets | None = None


class RunEvent(Part):
    eventTime: AwareInstant  # noqa: N815
    eventType: EventType = EventType.OTHER  # noqa: N815
    run: EventRun
    job: EventJob
    inputs: list[EventDataset] | None = Field(default=None, max_length=1000)
    outputs: list[EventDataset] | None = Field(default=None, max_length=1000)
    producer: Text
    schemaURL: Text  # noqa: N815


def dataset_name(dataset: EventDataset, workspace: str) -> str:
    """What we call it: a table by its own name, which senders put beside its location; else namespace and name."""
    if dataset.namespace == _OURS + workspace:
        return dataset.name
    return _table_name(dataset.facets or {}) or f"{dataset.namespace.rstrip('/')}/{dataset.name.lstrip('/')}"


def _table_name(facets: dict[str, Any]) -> str | None:
    symlinks = facets.get("symlinks")
    others = symlinks.get("identifiers") if isinstance(symlinks, dict) else None
    for other in others if isinstance(others, list) else ():
        if isinstance(other, dict) and other.get("type") == "TABLE" and isinstance(other.get("name"), str):
            name: str = other["name"]
            return name or None
    return None


def events_of(run: Run, workspace: str, uses: list[LineageUse], *, to_all: bool = False) -> list[dict[str, Any]]:
    """What a run of ours has to tell by now: its start, and its end with what it touched.

    To all: also to those who may not see it. Why a query failed says what was asked, and is for who asked it.
    """
    if run.started_at is None:
        return []
    told = [_event(run, workspace, EventType.START, run.started_at, [])]
    if run.state in ENDED and run.ended_at is not None:
        told.append(_event(run, workspace, _ENDS[run.state], run.ended_at, uses, reason=_reason(run, to_all=to_all)))
    return told


_ENDS = {
    State.SUCCEEDED: EventType.COMPLETE,
    State.FAILED: EventType.FAIL,
    State.TIMED_OUT: EventType.FAIL,
    State.CANCELLED: EventType.ABORT,
}


def _reason(run: Run, *, to_all: bool) -> str:
    if to_all and run.trigger is Trigger.QUERY:
        return "The query failed. Why is told to who asked it."
    return run.error or "No reason was given."


def _event(
    run: Run, workspace: str, kind: EventType, at: datetime, uses: list[LineageUse], *, reason: str = ""
) -> dict[str, Any]:
    return {
        "eventType": kind.value,
        "eventTime": at.isoformat(),
        "run": {"runId": run.id, "facets": _run_facets(run, workspace, kind, reason)},
        "job": {
            "namespace": _OURS + workspace,
            "name": _job_name(run),
            "facets": {"jobType": _facet("JobTypeJobFacet", "2-0-3", _job_type(run))},
        },
        "inputs": _datasets(uses, Direction.READS, workspace),
        "outputs": _datasets(uses, Direction.WRITES, workspace),
        "producer": _PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
    }


def _job_name(run: Run) -> str:
    return ".".join(part for part in (run.job, run.task) if part) or "query"


def _job_type(run: Run) -> dict[str, str]:
    processing = "STREAMING" if run.kind in STREAMS else "BATCH"
    return {"processingType": processing, "integration": "BOATHOUSE", "jobType": run.kind.upper()}


def _run_facets(run: Run, workspace: str, kind: EventType, reason: str) -> dict[str, Any]:
    facets: dict[str, Any] = {}
    if run.scheduled_for is not None:
        facets["nominalTime"] = _facet(
            "NominalTimeRunFacet", "1-0-1", {"nominalStartTime": run.scheduled_for.isoformat()}
        )
    if run.flow_id is not None:
        parent = {"run": {"runId": run.flow_id}, "job": {"namespace": _OURS + workspace, "name": run.job}}
        facets["parent"] = _facet("ParentRunFacet", "1-1-0", parent)
    if kind is EventType.FAIL:
        failure = {"message": reason, "programmingLanguage": "UNKNOWN"}
        facets["errorMessage"] = _facet("ErrorMessageRunFacet", "1-0-1", failure)
    return facets


def _facet(name: str, number: str, told: dict[str, Any]) -> dict[str, Any]:
    return {"_producer": _PRODUCER, "_schemaURL": f"{_SPEC}/facets/{number}/{name}.json#/$defs/{name}", **told}


def _datasets(uses: list[LineageUse], direction: Direction, workspace: str) -> list[dict[str, Any]]:
    return [
        {"namespace": _OURS + workspace, "name": use.dataset, "facets": {}}
        for use in uses
        if use.direction is direction
    ]
