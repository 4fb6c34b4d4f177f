"""When stages began and ended, by what is reported of them."""

from typing import Any

from boathouse.control.worker.journal import Journal
from boathouse.control.worker.stages import StageClock


def stage(number: int, done: int, tasks: int = 4) -> dict[str, Any]:
    return {"id": number, "tasks": tasks, "tasks_done": done, "bytes_read": 10 * done, "done": done == tasks}


def times(clock: StageClock) -> dict[int, tuple[int, int | None]]:
    return {one["id"]: (one["began"], one["ended"]) for one in clock.told()}


def test_a_stage_begins_when_it_is_first_told_of_and_ends_when_it_is_done() -> None:
    clock = StageClock()
    clock.saw([stage(7, 1)], at=1_000)
    clock.saw([stage(7, 4), stage(8, 0)], at=1_500)
    clock.saw([stage(7, 4), stage(8, 2)], at=2_000)
    assert times(clock) == {7: (1_000, 1_500), 8: (1_500, None)}
    assert [one["tasks_done"] for one in clock.told()] == [4, 2]


def test_what_the_next_statement_no_longer_tells_of_is_over() -> None:
    clock = StageClock()
    clock.saw([stage(7, 1)], at=1_000)
    clock.saw([stage(9, 0)], at=1_500)
    assert times(clock) == {7: (1_000, 1_500), 9: (1_500, None)}


def test_the_times_that_spark_tells_are_better_than_ours() -> None:
    clock = StageClock()
    clock.saw([stage(7, 1)], at=1_000)
    clock.saw([stage(7, 4) | {"began": 700, "ended": 950, "shuffle_bytes_written": 61}], at=1_500)
    assert times(clock) == {7: (700, 950)}
    assert clock.told()[0]["shuffle_bytes_written"] == 61


def test_the_journal_keeps_jobs_of_all_reports_each_as_it_was_last() -> None:
    journal = Journal()
    journal.moved({"each_job": [{"id": 1, "state": "running"}]})
    journal.moved({"each_job": [{"id": 1, "state": "succeeded"}, {"id": 2, "state": "running"}]})
    journal.moved({"tasks": 3})
    assert journal.progress is not None
    assert [(job["id"], job["state"]) for job in journal.progress["each_job"]] == [(1, "succeeded"), (2, "running")]
    journal.moved({"each_job": [{"id": number} for number in range(5_000)]})
    assert len(journal.progress["each_job"]) == 200


def test_the_journal_keeps_stages_of_all_statements_beside_the_progress_of_the_last() -> None:
    journal = Journal()
    journal.moved({"tasks": 4, "each": [stage(1, 4)]})
    journal.moved({"tasks": 8, "each": [stage(2, 0, tasks=8)]})
    assert journal.progress is not None
    assert journal.progress["tasks"] == 8
    assert [one["id"] for one in journal.progress["each_stage"]] == [1, 2]


def test_thousands_of_stages_are_not_kept() -> None:
    clock = StageClock()
    clock.saw([stage(number, 0) for number in range(5_000)], at=0)
    assert len(clock.told()) == 200
