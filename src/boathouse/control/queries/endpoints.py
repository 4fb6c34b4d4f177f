"""What can be asked about queries."""

from typing import Annotated

from fastapi import Query, Response

from boathouse.control.access.dependencies import RunnerOfWorkspace, ViewerOfWorkspace
from boathouse.control.http.paging import Cursor, IdCursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, Work, WorkRoute
from boathouse.control.queries import repository, service
from boathouse.control.queries.schemas import NewQuery, QueryName, QueryTold, SavedChange, SavedText, SavedTold
from boathouse.control.runs import service as runs

router = api_router("queries", WorkRoute)
ALL = "/workspaces/{workspace}/queries"
ONE = ALL + "/{query_id}"
SAVED = "/workspaces/{workspace}/saved-queries"
ONE_SAVED = SAVED + "/{name}"
OnlyNew = Annotated[bool, Query(description="Refused if there is one of that name already.")]


@router.post(ALL, name="query.ask", status_code=201)
async def ask(work: Work, scope: RunnerOfWorkspace, wanted: NewQuery, note: Noted, *, response: Response) -> QueryTold:
    """Ask a question in SQL. Its rows are at the run's result once it has succeeded.

    Sent again with the same key, it answers 200 with the query that is there.
    """
    asked, is_new = await service.ask(work, scope, wanted)
    note.target = f"query {asked.id}"
    note.details = {"run": asked.run_id, "characters": len(wanted.sql), "new": is_new}
    if not is_new:
        response.status_code = 200
    return asked


@router.get(ALL, name="query.list")
async def find(
    work: Work,
    scope: RunnerOfWorkspace,
    text: Annotated[str | None, Query(max_length=200, description="Only those that hold this.")] = None,
    cursor: IdCursor = None,
    *,
    limit: Limit = 100,
) -> Page[QueryTold]:
    """The caller's own history, the newest first."""
    found = await repository.find(work, scope, text=text, before=cursor, limit=limit + 1)
    items = [service.told(one) for one in found[:limit]]
    return Page(items=items, next=items[-1].id if len(found) > limit else None)


@router.get(ONE, name="query.get")
async def get(work: Work, scope: RunnerOfWorkspace, query_id: str) -> QueryTold:
    return service.told(await service.get(work, scope, query_id))


@router.post(ONE + "/cancel", name="query.cancel")
async def cancel(work: Work, scope: RunnerOfWorkspace, query_id: str, note: Noted) -> QueryTold:
    note.target = f"query {query_id}"
    query, run = await service.get(work, scope, query_id)
    return service.told((query, await runs.stop(work, scope, run.id)))


@router.get(SAVED, name="saved-query.list")
async def find_saved(
    work: Work, scope: ViewerOfWorkspace, cursor: Cursor = None, limit: Limit = 100
) -> Page[SavedTold]:
    found = await repository.saved(work, scope, after=cursor, limit=limit + 1)
    items = [service.saved_told(one) for one in found[:limit]]
    return Page(items=items, next=items[-1].name if len(found) > limit else None)


@router.get(ONE_SAVED, name="saved-query.get")
async def get_saved(work: Work, scope: ViewerOfWorkspace, name: str) -> SavedTold:
    return service.saved_told(await service.get_saved(work, scope, name))


@router.put(ONE_SAVED, name="saved-query.save")
async def save(
    work: Work, scope: RunnerOfWorkspace, name: QueryName, wanted: SavedText, note: Noted, *, new: OnlyNew = False
) -> SavedTold:
    """A runner replaces what they saved themselves, an editor what anybody did."""
    note.target = f"saved query {name}"
    return await service.save(work, scope, name, wanted, new=new)


@router.patch(ONE_SAVED, name="saved-query.change")
async def change_saved(work: Work, scope: RunnerOfWorkspace, name: str, wanted: SavedChange, note: Noted) -> SavedTold:
    """Call it something else, or say what it is for."""
    note.target, note.details = f"saved query {name}", wanted.model_dump(include={"name"}, exclude_none=True)
    return await service.change_saved(work, scope, name, wanted)


@router.delete(ONE_SAVED, name="saved-query.remove", status_code=204)
async def remove_saved(work: Work, scope: RunnerOfWorkspace, name: str, note: Noted) -> Response:
    """A runner removes what they saved themselves, an editor what anybody did."""
    note.target = f"saved query {name}"
    await service.remove_saved(work, scope, name)
    return Response(status_code=204)
