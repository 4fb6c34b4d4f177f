"""What can be asked about jobs."""

from datetime import datetime
from itertools import islice
from typing import Annotated

from fastapi import Path, Query, Response

from boathouse.control.access.dependencies import Caller, EditorOfWorkspace, RunnerOfWorkspace, ViewerOfWorkspace
from boathouse.control.database.base import now
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import LookingRoute, Noted, Work, WorkRoute
from boathouse.control.jobs import repository, service
from boathouse.control.jobs.kinds import kinds_told
from boathouse.control.jobs.schedules import Schedule
from boathouse.control.jobs.schemas import (
    Applied,
    Definition,
    Difference,
    JobKindTold,
    JobName,
    JobTold,
    NewJob,
    RollBack,
    VersionTold,
)
from boathouse.control.runs import service as runs

router = api_router("jobs", WorkRoute)
looking = api_router("jobs", LookingRoute)
ALL = "/workspaces/{workspace}/jobs"
ONE = ALL + "/{name}"
_TIMES_TOLD = 5
VersionNumber = Annotated[int, Path(ge=1, lt=2**31)]
VersionBefore = Annotated[
    int | None,
    Query(ge=1, lt=2**31, description="The version that was changed: refused if it is not the current one any more."),
]
VersionWanted = Annotated[int, Query(ge=1, lt=2**31)]


@router.get("/job-kinds", name="job.kinds")
async def kinds(_caller: Caller) -> list[JobKindTold]:
    return kinds_told()


@router.get("/schedule-times", name="job.schedule-times")
async def schedule_times(_caller: Caller, schedule: Annotated[Schedule, Query()]) -> list[datetime]:
    """When a schedule would next start runs: of one that a job has, or that somebody is about to write."""
    return list(islice(schedule.times(now()), _TIMES_TOLD))


@router.get(ALL, name="job.list")
async def find(work: Work, scope: ViewerOfWorkspace, cursor: Cursor = None, limit: Limit = 100) -> Page[JobTold]:
    found = await repository.find(work, scope, after=cursor, limit=limit + 1)
    items = [service.row_told(one) for one in found[:limit]]
    return Page(items=items, next=items[-1].name if len(found) > limit else None)


@router.post(ALL, name="job.create", status_code=201)
async def create(work: Work, scope: EditorOfWorkspace, wanted: NewJob, note: Noted) -> JobTold:
    note.target, note.details = f"job {wanted.name}", {"kind": wanted.kind}
    return await service.create(work, scope, wanted)


@router.get(ONE, name="job.get")
async def get(work: Work, scope: ViewerOfWorkspace, name: str) -> JobTold:
    return service.told(await service.get(work, scope, name))


@router.put(ONE, name="job.apply")
async def apply(
    work: Work, scope: EditorOfWorkspace, name: JobName, wanted: Definition, note: Noted, *, base: VersionBefore = None
) -> Applied:
    """Create the job, or give it a new version if this is another definition than its current one."""
    note.target = f"job {name}"
    applied = await service.apply(work, scope, name, wanted, base=base)
    note.details = {"changed": applied.changed, "version": applied.job.version}
    return applied


@looking.post(ONE + "/compare", name="job.compare")
async def compare(work: Work, scope: EditorOfWorkspace, name: JobName, wanted: Definition) -> list[Difference]:
    """What applying this would change, of a job that is there or not. Nothing is changed."""
    return await service.compare(work, scope, name, wanted)


@router.delete(ONE, name="job.remove", status_code=204)
async def remove(work: Work, scope: EditorOfWorkspace, name: str, note: Noted) -> Response:
    """With all its runs. Not while one is under way."""
    note.target = f"job {name}"
    await runs.refuse_if_under_way(work, scope, name)
    await runs.discard_results(work, scope, name)
    await service.remove(work, scope, name)
    return Response(status_code=204)


@router.post(ONE + "/pause", name="job.pause")
async def pause(work: Work, scope: RunnerOfWorkspace, name: str, note: Noted) -> JobTold:
    """Let its schedule rest."""
    note.target = f"job {name}"
    return await service.set_paused(work, scope, name, paused=True)


@router.post(ONE + "/resume", name="job.resume")
async def resume(work: Work, scope: RunnerOfWorkspace, name: str, note: Noted) -> JobTold:
    """Let its schedule go on, from now."""
    note.target = f"job {name}"
    return await service.set_paused(work, scope, name, paused=False)


@router.get(ONE + "/versions", name="job.versions")
async def versions(
    work: Work,
    scope: ViewerOfWorkspace,
    name: str,
    cursor: Annotated[int | None, Query(ge=1, lt=2**31)] = None,
    limit: Limit = 100,
) -> Page[VersionTold]:
    """The newest first."""
    job, _ = await service.get(work, scope, name)
    found = await repository.versions(work, job.id, before=cursor, limit=limit + 1)
    items = [service.version_told(one) for one in found[:limit]]
    return Page(items=items, next=str(items[-1].number) if len(found) > limit else None)


@router.get(ONE + "/versions/{number}", name="job.version")
async def version(work: Work, scope: ViewerOfWorkspace, name: str, number: VersionNumber) -> VersionTold:
    return service.version_told(await service.version(work, scope, name, number))


@router.get(ONE + "/diff", name="job.diff")
async def diff(
    work: Work, scope: ViewerOfWorkspace, name: str, before: VersionWanted, after: VersionWanted
) -> list[Difference]:
    """What differs between two versions."""
    one, other = [await service.version(work, scope, name, number) for number in (before, after)]
    return service.differences(one.definition, other.definition)


@router.post(ONE + "/roll-back", name="job.roll-back")
async def roll_back(work: Work, scope: EditorOfWorkspace, name: str, wanted: RollBack, note: Noted) -> Applied:
    note.target, note.details = f"job {name}", {"version": wanted.version}
    return await service.roll_back(work, scope, name, wanted.version)
