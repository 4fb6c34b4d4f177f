"""What can be asked about runs."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from boathouse.control.access.actor import Scope
from boathouse.control.access.dependencies import RunnerOfWorkspace, ViewerOfWorkspace, scope_by_now
from boathouse.control.http.moments import Instant
from boathouse.control.http.paging import Cursor, IdCursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, Work, WorkRoute
from boathouse.control.jobs.schemas import JobName
from boathouse.control.runs import listed, logs, repository, service
from boathouse.control.runs.downloads import FileForm, download
from boathouse.control.runs.models import Run
from boathouse.control.runs.result_rows import Order
from boathouse.control.runs.results import Results
from boathouse.control.runs.schemas import JobsRuns, LogPage, NewRun, ResultPage, RunInFull, RunTold, TimelinePoint
from boathouse.control.runs.states import State
from boathouse.control.runs.streaming import Listener, log_events, progress_events

router = api_router("runs", WorkRoute)
ALL = "/workspaces/{workspace}/runs"
ONE = ALL + "/{run_id}"
OF_JOB = "/workspaces/{workspace}/jobs/{name}/runs"
AttemptNumber = Annotated[int | None, Query(ge=1, lt=2**31, description="Only of this attempt.")]


async def _results(request: Request) -> Results:
    return request.app.state.results


Kept = Annotated[Results, Depends(_results)]


@router.post(OF_JOB, name="run.submit", status_code=201)
async def submit(
    work: Work, scope: RunnerOfWorkspace, name: JobName, wanted: NewRun, note: Noted, *, response: Response
) -> RunTold:
    """Start a run. Sent again with the same key, it answers 200 with the run that is there."""
    note.target = f"job {name}"
    run, is_new = await service.submit(work, scope, name, wanted)
    note.details = {"run": run.id, "new": is_new}
    if not is_new:
        response.status_code = 200
    return service.told(run)


@router.get(ALL, name="run.list", response_model=Page[RunTold])
async def find(
    work: Work,
    scope: ViewerOfWorkspace,
    job: Annotated[str | None, Query(max_length=60)] = None,
    state: Annotated[list[State] | None, Query(max_length=len(State), description="Any of these.")] = None,
    *,
    requested_by: Annotated[str | None, Query(max_length=100)] = None,
    since: Instant | None = None,
    until: Instant | None = None,
    cursor: IdCursor = None,
    limit: Limit = 100,
) -> Response:
    """The newest first."""
    wanted = repository.Wanted(job, state or None, requested_by, since, until)
    found = await repository.find(work, scope, wanted, before=cursor, limit=limit + 1)
    return Response(listed.page(found, limit), media_type="application/json")


@router.get("/workspaces/{workspace}/runs-by-job", name="run.list-by-job")
async def by_job(
    work: Work,
    scope: ViewerOfWorkspace,
    job: Annotated[str | None, Query(max_length=60, description="Only this one.")] = None,
    runs: Annotated[int, Query(ge=1, le=100, description="Of each job, at most.")] = 30,
    *,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Jobs.")] = 50,
) -> Page[JobsRuns]:
    """How the last runs of each job went: the jobs by name, their runs the newest first."""
    rows = await repository.of_each_job(work, scope, after=cursor, job=job, jobs=limit + 1, most=runs)
    items = service.in_short(rows)
    return Page(items=items[:limit], next=items[limit - 1].job if len(items) > limit else None)


@router.get(ONE, name="run.get")
async def get(work: Work, scope: ViewerOfWorkspace, run_id: str) -> RunInFull:
    return await service.in_full(work, scope, await service.get(work, scope, run_id))


@router.post(ONE + "/stop", name="run.stop")
async def stop(work: Work, scope: RunnerOfWorkspace, run_id: str, note: Noted) -> RunTold:
    note.target = f"run {run_id}"
    return service.told(await service.stop(work, scope, run_id))


@router.post(ONE + "/retry", name="run.retry")
async def retry(work: Work, scope: RunnerOfWorkspace, run_id: str, note: Noted) -> RunTold:
    """Another attempt in the same run; of a flow, only of the tasks that did not succeed."""
    note.target = f"run {run_id}"
    return service.told(await service.again(work, scope, run_id))


@router.get(ONE + "/logs", name="run.logs")
async def read_log(
    work: Work, scope: ViewerOfWorkspace, run_id: str, attempt: AttemptNumber = None, *, cursor: Cursor = None
) -> LogPage:
    run = await service.get(work, scope, run_id)
    after = logs.Position.parse(cursor)
    found = await logs.chunks(work, run.id, after, attempt=attempt)
    lines = [line for chunk in found for line in logs.lines_of(chunk)]
    reached = logs.position_of(found[-1]) if found else after
    complete = not found and service.is_over(run)
    return LogPage(lines=lines, next=None if complete else str(reached) or None, complete=complete)


@router.get(ONE + "/logs/stream", name="run.logs.stream", response_class=StreamingResponse)
async def stream_log(
    work: Work,
    scope: ViewerOfWorkspace,
    run_id: str,
    request: Request,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> StreamingResponse:
    """Server-sent events: `line`, `state`, and `end` once the run is over."""
    run = await service.get(work, scope, run_id)
    after = logs.Position.parse(last_event_id)
    return _sent(log_events(request.app.state.database, run.id, after, _listener(request, scope, run)))


@router.get(ONE + "/progress/stream", name="run.progress.stream", response_class=StreamingResponse)
async def stream_progress(work: Work, scope: ViewerOfWorkspace, run_id: str, request: Request) -> StreamingResponse:
    """Server-sent events: `progress` as the run has it, whenever it has changed, `state`, and `end` once it is over."""
    run = await service.get(work, scope, run_id)
    return _sent(progress_events(request.app.state.database, run.id, _listener(request, scope, run)))


@router.get(ONE + "/timeline", name="run.timeline")
async def timeline(
    work: Work, scope: ViewerOfWorkspace, run_id: str, attempt: AttemptNumber = None
) -> list[TimelinePoint]:
    """How far the engine was, and when; of the latest attempt if none is named."""
    run = await service.get(work, scope, run_id)
    found = await repository.attempt(work, run, attempt)
    points = found.timeline if found is not None else None
    # Not strict: what was recorded before shuffles were lacks their bytes.
    return [TimelinePoint(**dict(zip(TimelinePoint.model_fields, point, strict=False))) for point in points or ()]


@router.get(ONE + "/result", name="run.result")
async def result(
    work: Work,
    scope: ViewerOfWorkspace,
    run_id: str,
    results: Kept,
    offset: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    *,
    limit: Annotated[int, Query(ge=1, le=5_000, description="How many at most.")] = 100,
    order_by: Annotated[int | None, Query(ge=0, lt=2**31, description="The number of a column, from 0.")] = None,
    descending: bool = False,
) -> ResultPage:
    """The rows that SQL returned, as they came or in the order of a column."""
    order = None if order_by is None else Order(order_by, descending)
    return await results.page(await service.get(work, scope, run_id), offset, limit, order)


@router.get(
    ONE + "/result/download",
    name="run.result.download",
    response_class=StreamingResponse,
    responses={200: {"content": {form.media_type: {} for form in FileForm}}},
)
async def download_result(
    work: Work,
    scope: ViewerOfWorkspace,
    run_id: str,
    results: Kept,
    form: Annotated[FileForm, Query(alias="format")] = FileForm.CSV,
) -> StreamingResponse:
    """All rows that are kept, as a file."""
    found = await download(results, await service.get(work, scope, run_id), form)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"', "Cache-Control": "no-store"}
    if found.size is not None:
        headers["Content-Length"] = str(found.size)
    return StreamingResponse(found.parts, media_type=form.media_type, headers=headers)


def _listener(request: Request, scope: Scope, run: Run) -> Listener:
    async def may_see(session: Work) -> bool:
        by_now = await scope_by_now(request, session, scope.workspace)
        return by_now is not None and service.may_see(by_now, run)

    return Listener(may_see, lambda: request.app.state.draining)


def _sent(events: AsyncIterator[bytes]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})
