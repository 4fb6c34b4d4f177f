"""What the driver's REST API tells, as progress."""

import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson
import pytest

from boathouse.engines.spark.driver import Driver
from boathouse.engines.spark.progress import Progress
from boathouse.engines.spark.watch import Watch

SESSION = "88bc2cf5-9415-5380-b3c7-afca4db05ea2"
# As Spark 4.1 writes it.
REQUEST = (
    f'Spark Connect - session_id: "{SESSION}"\nplan {{\n  root {{\n    common {{\n      plan_id: 3\n    }}\n'
    "    sort {\n      input..."
)


def job(number: int, *, session: str = SESSION, status: str = "RUNNING", **more: Any) -> dict[str, Any]:
    tag = f"SparkConnect_OperationTag_User__Session_{session}_Operation_7be733f4-119a-43b4-a7e3-a1032b84731f"
    return {
        "jobId": number, "name": REQUEST, "status": status, "stageIds": [2 * number, 2 * number + 1],
        "jobTags": ["spark-session-631a562d", tag], "submissionTime": "2026-11-17T09:48:42.521GMT",
        "numTasks": 20, "numActiveTasks": 2, "numCompletedTasks": 4, "numSkippedTasks": 0, "numFailedTasks": 0,
        "numCompletedStages": 0, "numSkippedStages": 0, **more,
    }  # fmt: skip


def stage(number: int, *, status: str = "ACTIVE", attempt: int = 0, **more: Any) -> dict[str, Any]:
    began = {} if status in {"PENDING", "SKIPPED"} else {"submissionTime": "2026-11-17T09:48:42.778GMT"}
    ended = {"completionTime": "2026-11-17T09:48:42.867GMT"} if status in {"COMPLETE", "FAILED"} else {}
    return {
        "stageId": number, "attemptId": attempt, "status": status, "name": REQUEST, "numTasks": 10,
        "numCompleteTasks": 4, "numFailedTasks": 1, "inputBytes": 100, "inputRecords": 7,
        "shuffleReadBytes": 59, "shuffleWriteBytes": 61, **began, **ended, **more,
    }  # fmt: skip


class FakeDriver:
    """Answers as the driver's UI does, with what a test puts there."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = []
        self.stages: dict[int, list[dict[str, Any]]] = {}
        self.asked: list[str] = []

    def answer(self, path: str) -> bytes | None:
        self.asked.append(path)
        if path == "/api/v1/applications":
            return orjson.dumps([{"id": "local-1", "name": "boathouse", "attempts": []}])
        if path == "/api/v1/applications/local-1/jobs":
            return orjson.dumps(self.jobs)
        stages = self.stages.get(int(path.rpartition("/")[2]))
        return None if stages is None else orjson.dumps(stages)

    def stages_asked_for(self) -> list[int]:
        return [int(path.rpartition("/")[2]) for path in self.asked if "/stages/" in path]


@pytest.fixture
def spark() -> FakeDriver:
    return FakeDriver()


@pytest.fixture
def address(spark: FakeDriver) -> Generator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = spark.answer(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def driver(address: str) -> Generator[Driver]:
    driver = Driver(address, SESSION)
    yield driver
    driver.close()


def look(driver: Driver) -> Progress:
    told = driver.look()
    assert told is not None
    return told


def test_jobs_and_stages_are_told_with_what_was_shuffled_and_sparks_own_times(
    spark: FakeDriver, driver: Driver
) -> None:
    spark.jobs = [job(1)]
    spark.stages = {2: [stage(2, status="COMPLETE")], 3: [stage(3)]}
    told = look(driver)
    assert (told.tasks_done, told.tasks, told.tasks_running, told.stages, told.jobs, told.jobs_done) == (
        4, 20, 2, 2, 1, 0,
    )  # fmt: skip
    assert (told.bytes_read, told.shuffle_bytes_read, told.shuffle_bytes_written) == (200, 118, 122)
    first, second = told.each
    assert (first.id, first.name, first.done, first.tasks_failed, first.records_read) == (2, "sort", True, 1, 7)
    assert (first.began, first.ended) == (1_794_908_922_778, 1_794_908_922_867)
    assert (second.done, second.ended) == (False, None)
    assert [(one.id, one.name, one.state, one.stages) for one in told.each_job] == [(1, "sort", "running", (2, 3))]


def test_the_work_of_other_sessions_is_not_ours(spark: FakeDriver, driver: Driver) -> None:
    spark.jobs = [job(1, session="745dfcf4-4ce8-4411-aac8-f54769561c10")]
    assert driver.look() is None
    assert spark.stages_asked_for() == []


def test_what_is_over_is_not_asked_for_again_and_still_counts(spark: FakeDriver, driver: Driver) -> None:
    spark.jobs = [job(1)]
    spark.stages = {2: [stage(2, status="COMPLETE")], 3: [stage(3)]}
    look(driver)
    spark.stages[3] = [stage(3, status="COMPLETE")]
    assert [one.id for one in look(driver).each] == [3]
    assert driver.look() is None
    assert spark.stages_asked_for() == [2, 3, 3]
    # Spark keeps the last two hundred.
    spark.jobs = [job(2)]
    spark.stages = {4: [stage(4)], 5: [stage(5, status="PENDING")]}
    told = look(driver)
    assert (told.jobs, told.tasks, told.shuffle_bytes_written) == (2, 40, 183)
    assert [one.id for one in told.each] == [4]


def test_a_stage_that_was_skipped_or_forgotten_is_none(spark: FakeDriver, driver: Driver) -> None:
    spark.jobs = [job(1, status="SUCCEEDED", numTasks=20, numSkippedTasks=15, numCompletedTasks=5, numSkippedStages=1)]
    spark.stages = {2: [stage(2, status="SKIPPED")]}
    told = look(driver)
    assert (told.each, told.tasks, told.stages) == ((), 5, 1)
    assert not driver.is_at_work


def test_of_a_stage_that_was_tried_again_the_last_try_counts(spark: FakeDriver, driver: Driver) -> None:
    spark.jobs = [job(1)]
    spark.stages = {2: [stage(2, attempt=1, numCompleteTasks=9), stage(2, status="FAILED")]}
    assert [(one.tasks_done, one.ended) for one in look(driver).each] == [(9, None)]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (REQUEST, "sort"),
        ('Spark Connect - session_id: "x"\nplan {\n  command {\n    write_operation_v2 {\n', "write operation v2"),
        ("Spark Connect - ", ""),
        ("Delta: compaction\nof a table", "Delta: compaction"),
    ],
)
def test_work_is_named_by_what_is_done_in_the_end(spark: FakeDriver, driver: Driver, name: str, told: str) -> None:
    spark.jobs = [job(1, name=name, stageIds=[])]
    assert look(driver).each_job[0].name == told


class TestWatch:
    def test_what_is_short_is_told_at_its_end(self, spark: FakeDriver, address: str) -> None:
        heard: list[Progress] = []
        with Watch(address, SESSION, heard.append) as watch:
            spark.jobs = [job(1, status="SUCCEEDED", stageIds=[])]
        assert [told.jobs_done for told in heard] == [1]
        assert watch.sees

    def test_a_driver_that_is_not_there_or_talks_nonsense_does_no_harm(self, spark: FakeDriver, address: str) -> None:
        spark.jobs = [{"jobId": "?"}]
        for place in (None, "http://127.0.0.1:1", address):
            with Watch(place, SESSION, lambda _: pytest.fail("nothing was seen")) as watch:
                pass
            assert not watch.sees
