"""What Spark's driver tells of one session's jobs and stages, by the REST API of its UI."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

import httpx
from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter
from pydantic.alias_generators import to_camel

from boathouse.engines.spark.progress import JobProgress, Progress, StageProgress

# Of seconds. It is on this machine, and answers in a few milliseconds.
_PATIENCE = 2.0
_LONGEST_NAME = 80
# Spark Connect names its work by the request as text: `plan {\n  root {\n    common {…}\n    sort {…`.
_OF_CONNECT = "Spark Connect - "
_PART_OF_PLAN = re.compile(r"(\w+) \{")
# What holds what is done, and the limit that we put around every statement.
_WRAPPINGS = {"plan", "root", "command", "common", "user_context", "input", "limit"}


def _millis(text: str) -> int:
    at = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fGMT").replace(tzinfo=UTC)
    return round(at.timestamp() * 1000)


Millis = Annotated[int, BeforeValidator(_millis)]


class _Told(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class _Application(_Told):
    id: str


class _Job(_Told):
    job_id: int
    name: str
    status: str
    job_tags: list[str] = []
    stage_ids: list[int]
    num_tasks: int
    num_active_tasks: int
    num_completed_tasks: int
    num_skipped_tasks: int
    num_failed_tasks: int
    num_completed_stages: int
    num_skipped_stages: int
    submission_time: Millis | None = None
    completion_time: Millis | None = None


class _Stage(_Told):
    stage_id: int
    attempt_id: int
    status: str
    name: str
    num_tasks: int
    num_complete_tasks: int
    num_failed_tasks: int
    input_bytes: int
    input_records: int
    shuffle_read_bytes: int
    shuffle_write_bytes: int
    submission_time: Millis | None = None
    completion_time: Millis | None = None


_APPLICATIONS = TypeAdapter(list[_Application])
_JOBS = TypeAdapter(list[_Job])
_ATTEMPTS_AT_STAGE = TypeAdapter(list[_Stage])


class Driver:
    """Remembers what was told: Spark forgets jobs after a while, and what is over is not asked for again."""

    def __init__(self, address: str, session_id: str) -> None:
        # Plain HTTP on this machine, so neither a proxy nor certificates, which would take longer to load than all looks.
        self._http = httpx.Client(base_url=f"{address}/api/v1", timeout=_PATIENCE, trust_env=False, verify=False)  # noqa: S501
        self._session = f"_Session_{session_id}_"
        self._application: str | None = None
        self._jobs: dict[int, _Job] = {}
        self._stages: dict[int, StageProgress] = {}
        self._over: set[int] = set()

    @property
    def is_at_work(self) -> bool:
        return any(job.status == "RUNNING" for job in self._jobs.values())

    def look(self) -> Progress | None:
        """How far the session has come, with the jobs and stages of which there is something new; None if of none.

        Raises httpx.HTTPError if the driver does not answer, ValueError if it tells what is not understood.
        """
        jobs = [job for job in _JOBS.validate_json(self._ask("jobs")) if self._is_of_session(job)]
        news = [job for job in jobs if self._jobs.get(job.job_id) != job]
        self._jobs |= {job.job_id: job for job in news}
        stages = list(self._looked_at(number for job in jobs for number in job.stage_ids))
        self._stages |= {stage.id: stage for stage in stages}
        return self._progress(news, stages) if news or stages else None

    def close(self) -> None:
        self._http.close()

    def _is_of_session(self, job: _Job) -> bool:
        """By the tag that Spark Connect puts on all that it does for a session."""
        return any(self._session in tag for tag in job.job_tags)

    def _looked_at(self, numbers: Iterable[int]) -> Iterable[StageProgress]:
        for number in sorted(set(numbers) - self._over):
            stage = self._latest_attempt(number)
            if stage is None or stage.status not in {"PENDING", "ACTIVE"}:
                self._over.add(number)
            # One that waits, or that was skipped since what it would make is there, was never begun.
            if stage is not None and stage.submission_time is not None:
                yield _stage(stage)

    def _latest_attempt(self, number: int) -> _Stage | None:
        """None if Spark has forgotten it."""
        answer = self._http.get(f"/applications/{self._application}/stages/{number}")
        if answer.status_code == HTTPStatus.NOT_FOUND:
            return None
        attempts = _ATTEMPTS_AT_STAGE.validate_json(answer.raise_for_status().content)
        return max(attempts, key=lambda one: one.attempt_id, default=None)

    def _ask(self, what: str) -> bytes:
        if self._application is None:
            told = _APPLICATIONS.validate_json(self._http.get("/applications").raise_for_status().content)
            self._application = told[0].id if told else None
        return self._http.get(f"/applications/{self._application}/{what}").raise_for_status().content

    def _progress(self, news: Iterable[_Job], stages: Iterable[StageProgress]) -> Progress:
        jobs, known = self._jobs.values(), self._stages.values()
        return Progress(
            tasks_done=sum(job.num_completed_tasks for job in jobs),
            tasks=sum(job.num_tasks - job.num_skipped_tasks for job in jobs),
            tasks_running=sum(job.num_active_tasks for job in jobs),
            stages_done=sum(job.num_completed_stages for job in jobs),
            stages=sum(len(job.stage_ids) - job.num_skipped_stages for job in jobs),
            bytes_read=sum(stage.bytes_read for stage in known),
            each=tuple(stages),
            jobs_done=sum(job.status != "RUNNING" for job in jobs),
            jobs=len(jobs),
            shuffle_bytes_read=sum(stage.shuffle_bytes_read for stage in known),
            shuffle_bytes_written=sum(stage.shuffle_bytes_written for stage in known),
            each_job=tuple(_job(job) for job in news),
        )


def _job(told: _Job) -> JobProgress:
    return JobProgress(
        id=told.job_id,
        name=_name(told.name),
        state=told.status.lower(),
        stages=tuple(sorted(told.stage_ids)),
        tasks=told.num_tasks - told.num_skipped_tasks,
        tasks_done=told.num_completed_tasks,
        tasks_failed=told.num_failed_tasks,
        began=told.submission_time,
        ended=told.completion_time,
    )


def _stage(told: _Stage) -> StageProgress:
    return StageProgress(
        id=told.stage_id,
        tasks=told.num_tasks,
        tasks_done=told.num_complete_tasks,
        bytes_read=told.input_bytes,
        done=told.status == "COMPLETE",
        name=_name(told.name),
        tasks_failed=told.num_failed_tasks,
        records_read=told.input_records,
        shuffle_bytes_read=told.shuffle_read_bytes,
        shuffle_bytes_written=told.shuffle_write_bytes,
        began=told.submission_time,
        ended=told.completion_time,
    )


def _name(told: str) -> str:
    """Of a request of Spark Connect's the outermost thing that is done, such as `sort`; any other as it is."""
    if told.startswith(_OF_CONNECT):
        parts = (part for part in _PART_OF_PLAN.findall(told) if part not in _WRAPPINGS)
        return next(parts, "").replace("_", " ")
    return told.partition("\n")[0][:_LONGEST_NAME]
