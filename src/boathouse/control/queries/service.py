"""What can be done with queries. Each is a run without a job, so it is stopped, logged and paged as runs are."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.access.roles import Role
from boathouse.control.database.base import now
from boathouse.control.jobs.connections import refuse_unless_connected
from boathouse.control.jobs.kinds import checked
from boathouse.control.jobs.parameters import settled
from boathouse.control.jobs.schemas import Concurrency, Definition
from boathouse.control.queries import repository
from boathouse.control.queries.models import Query, SavedQuery
from boathouse.control.queries.repository import QueryAndRun
from boathouse.control.queries.schemas import NewQuery, QueryTold, SavedChange, SavedText, SavedTold
from boathouse.control.runs import repository as runs
from boathouse.control.runs.clock import alone
from boathouse.control.runs.models import Run, Trigger
from boathouse.control.runs.reasons import refuse_what_never_fits
from boathouse.control.runs.waiting import waiting_run
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.errors import Conflict, Forbidden, NotFound
from boathouse.kit.ids import new_uuid

# Nobody has more windows open.
_MOST_AT_ONCE = 1000


async def ask(session: AsyncSession, scope: Scope, wanted: NewQuery) -> tuple[QueryTold, bool]:
    """The query, and whether it is new."""
    definition = checked(
        Definition(
            kind="sql",
            spec={"sql": wanted.sql, "rows": wanted.rows, "connection": wanted.connection},
            parameters=wanted.parameters,
            timeout_seconds=wanted.timeout_seconds,
            concurrency=Concurrency(most=_MOST_AT_ONCE),
        )
    )
    await refuse_unless_connected(session, scope, definition)
    values = settled(definition.parameters, wanted.values)
    if wanted.key is not None:
        await alone(session)
        if (known := await runs.by_key(session, scope, wanted.key)) is not None:
            return told(await _same(session, scope, known, definition, values)), False
    workspace = await session.get_one(Workspace, scope.workspace_id)
    run = waiting_run(workspace, definition, values)
    refuse_what_never_fits(run, definition, workspace)
    run.definition, run.is_listed = definition.model_dump(mode="json"), False
    run.trigger, run.requested_by, run.key = Trigger.QUERY, scope.actor.name, wanted.key
    # Who asks at once wants the answer or the error, not another try.
    run.rules = {**run.rules, "retries": {"count": 0}}
    session.add(run)
    await session.flush()
    query = Query(
        id=new_uuid(),
        created_at=now(),
        workspace_id=scope.workspace_id,
        user_id=scope.actor.user_id,
        run_id=run.id,
        sql=wanted.sql,
        engine=wanted.asked_of,
    )
    session.add(query)
    await session.flush()
    return told((query, run)), True


async def _same(
    session: AsyncSession, scope: Scope, known: Run, definition: Definition, values: dict[str, Any]
) -> QueryAndRun:
    """The query that was asked with the key, if it was this one and the caller's own."""
    found = await repository.by_run(session, scope, known.id)
    if found is None or known.definition != definition.model_dump(mode="json") or known.values != values:
        raise Conflict(
            f"The key {known.key!r} was used for another run, {known.id}.", hint="Take a new key for a new query."
        )
    return found


async def get(session: AsyncSession, scope: Scope, query_id: str) -> QueryAndRun:
    found = await repository.by_id(session, scope, query_id)
    if found is None:
        raise NotFound(f"There is no query {query_id!r} of yours.", hint="Your history is listed in the workspace.")
    return found


async def save(session: AsyncSession, scope: Scope, name: str, wanted: SavedText, *, new: bool = False) -> SavedTold:
    saved = await repository.saved_by_name(session, scope, name)
    if saved is None:
        saved = SavedQuery(id=new_uuid(), created_at=now(), workspace_id=scope.workspace_id, name=name)
        session.add(saved)
    elif new:
        raise _taken(name)
    else:
        _refuse_unless_theirs(scope, saved)
    saved.sql, saved.description, saved.connection = wanted.sql, wanted.description, wanted.connection
    saved.parameters = [parameter.model_dump(mode="json", exclude_none=True) for parameter in wanted.parameters]
    saved.saved_by, saved.updated_at = scope.actor.name, now()
    await session.flush()
    return saved_told(saved)


async def change_saved(session: AsyncSession, scope: Scope, name: str, wanted: SavedChange) -> SavedTold:
    saved = await get_saved(session, scope, name)
    _refuse_unless_theirs(scope, saved)
    if wanted.name not in {None, name}:
        await _refuse_if_taken(session, scope, str(wanted.name))
        saved.name = str(wanted.name)
    if wanted.description is not None:
        saved.description = wanted.description
    await session.flush()
    return saved_told(saved)


async def _refuse_if_taken(session: AsyncSession, scope: Scope, name: str) -> None:
    if await repository.saved_by_name(session, scope, name) is not None:
        raise _taken(name)


def _taken(name: str) -> Conflict:
    return Conflict(f"There is a saved query {name!r} already.", hint="Choose another name, or remove that one.")


def _refuse_unless_theirs(scope: Scope, saved: SavedQuery) -> None:
    if saved.saved_by != scope.actor.name and not scope.role.covers(Role.EDITOR):
        raise Forbidden(
            f"{saved.name} was saved by {saved.saved_by}, and {scope.actor.name} is {scope.role} in {scope.workspace}:"
            " to change what others saved takes the role editor.",
            hint="Save one of your own under another name, or ask them or an editor.",
        )


async def get_saved(session: AsyncSession, scope: Scope, name: str) -> SavedQuery:
    found = await repository.saved_by_name(session, scope, name)
    if found is None:
        raise NotFound(f"There is no saved query {name!r}.", hint="They are listed in the workspace.")
    return found


async def remove_saved(session: AsyncSession, scope: Scope, name: str) -> None:
    saved = await get_saved(session, scope, name)
    _refuse_unless_theirs(scope, saved)
    await session.delete(saved)


def told(found: QueryAndRun) -> QueryTold:
    query, run = found
    result, progress, definition = run.result or {}, run.progress or {}, run.definition or {}
    return QueryTold(
        id=query.id,
        sql=query.sql,
        engine=query.engine,
        connection=definition.get("spec", {}).get("connection"),
        parameters=definition.get("parameters", []),
        values=run.values,
        asked_at=query.created_at,
        run_id=run.id,
        state=run.state,
        error=run.error,
        seconds=_seconds(run),
        rows=result.get("rows"),
        bytes=result.get("bytes"),
        bytes_read=progress.get("bytes_read"),
    )


def saved_told(saved: SavedQuery) -> SavedTold:
    return SavedTold(**{name: getattr(saved, name) for name in SavedTold.model_fields})


def _seconds(run: Run) -> float | None:
    if run.started_at is None or run.ended_at is None:
        return None
    return (run.ended_at - run.started_at).total_seconds()
