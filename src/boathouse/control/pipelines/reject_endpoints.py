"""What can be asked about the rows that a pipeline rejected, and done with them.

A viewer sees them. To replay is to run the pipeline, and takes a runner; to change what a row says, or to give it up, takes an editor.
"""

from typing import Annotated

from fastapi import Path, Query

from boathouse.control.access.dependencies import EditorOfWorkspace, RunnerOfWorkspace, ViewerOfWorkspace
from boathouse.control.datasets.endpoints import Reachable
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, OutwardRoute, Work, WorkRoute
from boathouse.control.pipelines import service
from boathouse.control.pipelines.desks import Desks, desk
from boathouse.control.pipelines.endpoints import ONE
from boathouse.control.pipelines.schemas import (
    Changed,
    Chosen,
    Counted,
    Discard,
    Mend,
    RejectInFull,
    RejectsCounted,
    RejectTold,
)
from boathouse.control.runs import service as runs
from boathouse.control.runs.schemas import RunTold
from boathouse.kit.deadletters.book import Wanted
from boathouse.kit.deadletters.desk import Desk
from boathouse.kit.deadletters.ledger import Action, RejectState

router = api_router("pipelines", WorkRoute)
outward = api_router("pipelines", OutwardRoute)
REJECTS = ONE + "/rejects"
ONE_REJECT = REJECTS + "/{reject}"
Text = Annotated[str | None, Query(min_length=1, max_length=2000)]
Reject = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
# More than anybody reads of; the rest can be searched for.
_MOST_COUNTED = 200


@router.get(REJECTS, name="reject.list")
async def find(
    work: Work,
    scope: ViewerOfWorkspace,
    catalogs: Reachable,
    desks: Desks,
    name: str,
    *,
    state: RejectState | None = None,
    reason: Text = None,
    load_id: Text = None,
    file: Text = None,
    cursor: Cursor = None,
    limit: Limit = 100,
) -> Page[RejectTold]:
    """The newest first, then as they stand in their files."""
    where = await desk(work, scope, catalogs, desks, name)
    wanted = Wanted(state=state, reason=reason, load_id=load_id, file=file)

    def page() -> Page[RejectTold]:
        found = where.book().find(wanted, after=cursor, limit=limit + 1)
        texts = where.texts(found[:limit])
        items = [service.reject_told(place, texts[place.id]) for place in found[:limit]]
        return Page(items=items, next=items[-1].id if len(found) > limit else None)

    return await service.beside(page, where.table)


@router.get(REJECTS + "/counts", name="reject.counts")
async def counts(
    work: Work,
    scope: ViewerOfWorkspace,
    catalogs: Reachable,
    desks: Desks,
    name: str,
    *,
    state: RejectState = RejectState.OPEN,
) -> RejectsCounted:
    """How many there are in each state, and of those in one state for each reason, load and file."""
    where = await desk(work, scope, catalogs, desks, name)

    def counted() -> RejectsCounted:
        (book, seen), wanted = where.book_now(), Wanted(state=state)
        by = {
            column: [Counted(value=value, rows=rows) for value, rows in book.counts(column, wanted)[:_MOST_COUNTED]]
            for column in ("sort", "load_id", "file")
        }
        states = {
            **dict.fromkeys(RejectState, 0),
            **{RejectState(one): rows for one, rows in book.counts("state", Wanted())},
        }
        return RejectsCounted(
            states=states,
            reasons=by["sort"],
            loads=by["load_id"],
            files=by["file"],
            complete=book.complete,
            seen=None if seen is None else str(seen),
        )

    return await service.beside(counted, where.table)


@router.get(ONE_REJECT, name="reject.get")
async def get(
    work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, desks: Desks, name: str, *, reject: Reject
) -> RejectInFull:
    where = await desk(work, scope, catalogs, desks, name)
    return await service.beside(lambda: _in_full(where, reject), where.table)


@outward.put(ONE_REJECT + "/mend", name="reject.mend")
async def mend(
    work: Work,
    scope: EditorOfWorkspace,
    catalogs: Reachable,
    desks: Desks,
    name: str,
    *,
    reject: Reject,
    wanted: Mend,
    note: Noted,
) -> RejectInFull:
    """Change what an open row says. It stays open until it is replayed."""
    note.target, note.details = f"job {name}", {"reject": reject}
    where = await desk(work, scope, catalogs, desks, name)

    def mended() -> RejectInFull:
        where.decide([reject], Action.MENDED, by=scope.actor.name, raw=wanted.raw)
        return _in_full(where, reject)

    return await service.beside(mended, where.table)


@outward.post(REJECTS + "/discard", name="reject.discard")
async def discard(
    work: Work,
    scope: EditorOfWorkspace,
    catalogs: Reachable,
    desks: Desks,
    name: str,
    *,
    wanted: Discard,
    note: Noted,
) -> Changed:
    """Give up open rows. They are kept, and can be opened again."""
    return await _decide(await desk(work, scope, catalogs, desks, name), scope, wanted, note, Action.DISCARDED)


@outward.post(REJECTS + "/reopen", name="reject.reopen")
async def reopen(
    work: Work,
    scope: EditorOfWorkspace,
    catalogs: Reachable,
    desks: Desks,
    name: str,
    *,
    wanted: Discard,
    note: Noted,
) -> Changed:
    """Take back that rows were discarded."""
    return await _decide(await desk(work, scope, catalogs, desks, name), scope, wanted, note, Action.REOPENED)


@router.post(REJECTS + "/replay", name="reject.replay", status_code=201)
async def replay(work: Work, scope: RunnerOfWorkspace, name: str, wanted: Chosen, note: Noted) -> RunTold:
    """Start a run that sends open rows through the pipeline once more, as they stood or as they were mended."""
    note.target = f"job {name}"
    run = await service.replay(work, scope, name, wanted)
    note.details = {
        "run": run.id,
        **wanted.model_dump(exclude_none=True, exclude={"ids"}),
        "ids": len(wanted.ids or ()),
    }
    return runs.told(run)


async def _decide(where: Desk, scope: EditorOfWorkspace, wanted: Discard, note: Noted, action: Action) -> Changed:
    state = RejectState.DISCARDED if action is Action.REOPENED else RejectState.OPEN
    note.target = f"table {where.table}"

    def decided() -> Changed:
        chosen = service.wanted_of(wanted, state)
        seen = None if wanted.seen is None else int(wanted.seen)
        ids = wanted.ids or [place.id for place in where.book(seen=seen).find(chosen)]
        return Changed(rows=where.decide(ids, action, by=scope.actor.name, note=wanted.note or None))

    changed = await service.beside(decided, where.table)
    note.details = {"rows": changed.rows, "note": wanted.note}
    return changed


def _in_full(where: Desk, reject: str) -> RejectInFull:
    place = where.find_one(reject)
    return service.reject_in_full(place, where.texts([place])[reject], where.form)
