"""What can be done with pipelines and their rejects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections.elsewhere import elsewhere
from boathouse.control.database.base import now
from boathouse.control.datasets.catalogs import Catalogs
from boathouse.control.datasets.damage import as_iceberg_has_it
from boathouse.control.jobs import service as jobs
from boathouse.control.jobs.kinds.pipeline import Pipeline, PipelineSpec, ReplaySpec
from boathouse.control.jobs.kinds.stream import Stream, follows
from boathouse.control.jobs.parameters import filled, names_in, settled
from boathouse.control.jobs.repository import JobAndVersion
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stream_status import SILENT_AFTER, StreamStatus, speaks, status_in
from boathouse.control.pipelines import repository
from boathouse.control.pipelines.schemas import (
    Chosen,
    Figures,
    PipelineTold,
    RejectInFull,
    RejectTold,
    Standing,
    StreamTold,
)
from boathouse.control.runs.clock import alone
from boathouse.control.runs.crowding import make_room
from boathouse.control.runs.models import Run, Trigger
from boathouse.control.runs.reasons import refuse_what_never_fits
from boathouse.control.runs.states import ACTIVE
from boathouse.control.runs.waiting import run_of_job
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.catalog_client import TableName
from boathouse.kit.deadletters.book import Place, Wanted
from boathouse.kit.deadletters.desk import Desk, Text
from boathouse.kit.deadletters.ledger import RejectState
from boathouse.kit.deadletters.mending import Form
from boathouse.kit.deadletters.shelf import Shelf
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.kit.table_metadata import current_snapshot, instant

Made = TypeVar("Made")


async def get(session: AsyncSession, scope: Scope, name: str) -> JobAndVersion:
    """The job, if it is a pipeline."""
    found = await jobs.get(session, scope, name)
    if found[1].definition.get("kind") not in repository.KINDS:
        raise NotFound(f"The job {name} is no pipeline.", hint="The pipelines are listed in the workspace.")
    return found


async def all_told(session: AsyncSession, scope: Scope, found: Sequence[JobAndVersion]) -> list[PipelineTold]:
    """Each with what its last runs did, and a stream with how it fares."""
    lately = await repository.lately(session, scope, [job.name for job, _ in found])
    streams = [job for job, version in found if version.definition.get("kind") == Stream.name]
    live = await repository.live(session, scope, streams, lately)
    return [told(one, lately[one[0].name], live.get(one[0].name)) for one in found]


def told(found: JobAndVersion, lately: list[Any], live: Mapping[Any, Any] | None) -> PipelineTold:
    job, version = found
    definition = jobs.definition_told(version)
    spec = _filled(definition)
    return PipelineTold(
        job=job.name,
        kind="stream" if definition.kind == Stream.name else "pipeline",
        version=job.version,
        description=definition.description or str(spec.get("description") or ""),
        paused=job.paused,
        due_at=job.due_at,
        table=table_in(spec),
        format=_text(spec.get("source"), "kind") or _text(spec.get("source"), "format"),
        lately=[figures(row) for row in lately],
        stream=None if live is None else _stream_told(live),
    )


def _stream_told(live: Mapping[Any, Any]) -> StreamTold:
    own = {name: live[name] for name in StreamTold.model_fields if name in live}
    status = status_in(live["progress"])
    silent = None if status is None or live["state"] not in ACTIVE else _silent(status)
    return StreamTold(run_id=live["id"], **own, status=status, silent_seconds=silent)


def _silent(status: StreamStatus) -> float | None:
    seconds = (now() - status.at).total_seconds()
    return seconds if speaks(status) and seconds > SILENT_AFTER else None


def figures(row: Mapping[Any, Any]) -> Figures:
    return Figures(run_id=row["id"], **{name: row[name] for name in Figures.model_fields if name != "run_id"})


def table_of(definition: Definition) -> TableName:
    """The table whose rejects they are; whoever may write the job decides on it, as on all that the job does."""
    table = table_in(_filled(definition))
    if table is None:
        raise InvalidInput(
            "Which table this pipeline loads depends on a parameter without a default.",
            hint="Give the parameter a default, or look at the rejects with `boathouse deadletter`.",
        )
    return TableName.parse(table)


def form_of(definition: Definition) -> Form | None:
    """How the events of a stream are written, if its spec says it without a parameter."""
    spec = _filled(definition)
    source = spec.get("source")
    name, encoding = _text(source, "format"), _text(source, "encoding")
    known = follows(spec) and name is not None and not any(names_in(one) for one in (name, encoding or ""))
    return Form.of(name, encoding) if known and name is not None else None


def desk_of(catalogs: Catalogs, shelf: Shelf, table: TableName, form: Form | None = None) -> Desk:
    source = catalogs.lake()
    if source.lake is None:
        raise InvalidInput("This server belongs to no lakehouse of its own.", hint="Start it with --lake.")
    return Desk(table, source.access, source.lake, shelf, form)


async def beside(make: Callable[[], Made], table: TableName) -> Made:
    """What is read from the lake, while others are being answered."""

    def made() -> Made:
        with as_iceberg_has_it(str(table)):
            return make()

    return await elsewhere("lake", made)


def standing(catalogs: Catalogs, desk: Desk) -> Standing:
    with catalogs.lake().client() as client:
        loaded = client.find_table(desk.table)
    rejects, still = desk.standing()
    snapshot = current_snapshot(loaded.metadata) if loaded else None
    summary: Mapping[str, str] = (snapshot or {}).get("summary") or {}
    rows = summary.get("total-records")
    return Standing(
        table=str(desk.table),
        rows=int(rows) if rows is not None else 0 if loaded and snapshot is None else None,
        committed_at=instant(snapshot["timestamp-ms"]) if snapshot else None,
        rejects=rejects,
        open=still,
    )


async def replay(session: AsyncSession, scope: Scope, name: str, wanted: Chosen) -> Run:
    """A run of the job that replays instead of loading: it waits, is logged and is stopped like its others."""
    await alone(session)
    job, version = await get(session, scope, name)
    definition = jobs.definition_of(version)
    spec = PipelineSpec.model_validate(
        {name: value for name, value in definition.spec.items() if name in PipelineSpec.model_fields}
    )
    chosen = ReplaySpec(**wanted.model_dump(include=set(ReplaySpec.model_fields)), by=scope.actor.name)
    # Of a stream too: it goes on meanwhile, and so they are not of the same kind.
    own = definition.model_copy(
        update={
            "kind": Pipeline.name,
            "spec": spec.model_copy(update={"replay": chosen}).model_dump(mode="json", exclude_none=True),
        }
    )
    values = settled(definition.parameters, {})
    workspace = await session.get_one(Workspace, scope.workspace_id)
    run = run_of_job(job, version, own, values, workspace)
    refuse_what_never_fits(run, own, workspace)
    run.definition = own.model_dump(mode="json")
    run.trigger, run.requested_by = Trigger.REQUEST, scope.actor.name
    run.report = {"kind": "replay"}
    await make_room(session, run, own.concurrency)
    session.add(run)
    await session.flush()
    return run


def wanted_of(chosen: Chosen, state: RejectState) -> Wanted:
    return Wanted(None, state, chosen.reason, chosen.load_id, chosen.file)


def reject_told(place: Place, text: Text) -> RejectTold:
    return RejectTold(**_reject(place, text))


def reject_in_full(place: Place, text: Text, form: Form | None) -> RejectInFull:
    return RejectInFull(
        **_reject(place, text),
        raw_base64=text.bytes_in_base64(),
        edit=place.fate.raw or _as_it_stood(text, form),
        form="text" if form is None or form.is_text else "base64",
    )


def _as_it_stood(text: Text, form: Form | None) -> str:
    if form is None:
        return text.raw or ""
    try:
        return form.text_of(text.whole or b"")
    except LookupError:
        # There is no such encoding, which is refused where it is mended or replayed.
        return text.raw or ""


def _reject(place: Place, text: Text) -> dict[str, Any]:
    fate = place.fate
    own = {name: getattr(place, name) for name in ("id", "load_id", "file", "line", "reason", "rejected_at")}
    done = {"state": fate.state, "mended": fate.raw, "note": fate.note, "replay_id": fate.load_id}
    return {**own, **done, "raw": text.raw, "changed_by": fate.by or None, "changed_at": fate.at}


def table_in(spec: Mapping[str, Any]) -> str | None:
    table = _text(spec.get("bronze" if follows(spec) else "target"), "table")
    return None if table is None or names_in(table) or "." not in table else table


def _filled(definition: Definition) -> dict[str, Any]:
    """The pipeline's own spec, with the defaults of the parameters that have one."""
    defaults = {one.name: one.default for one in definition.parameters if one.default is not None}
    defaults |= {one.name: "{{" + one.name + "}}" for one in definition.parameters if one.default is None}
    return filled(definition.spec.get("pipeline") or {}, defaults)


def _text(part: Any, name: str) -> str | None:
    """What a spec says there, if it says it as it should; it is looked at closely when it is run."""
    value: Any = part.get(name) if isinstance(part, Mapping) else None  # pyright: ignore[reportUnknownMemberType]
    return value if isinstance(value, str) else None
