"""Jobs as YAML files: what may stand in one, and what is said of what may not."""

from pathlib import Path
from typing import Any

import pytest

from boathouse.cli.job_files import JobFile, read_jobs
from boathouse.kit.errors import InvalidInput


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "jobs.yaml"


def read(file: Path, text: str) -> list[JobFile]:
    file.write_text(text)
    return read_jobs([file])


def definition(file: Path, text: str) -> dict[str, Any]:
    (job,) = read(file, text)
    return job.definition


def test_dates_and_times_are_the_text_of_them_wherever_they_stand(file: Path) -> None:
    found = definition(
        file, "job: aa\nspec: {from: 2026-01-31, at: [{on: 2026-01-31 10:00:00}, 2026-01-31T10:00:00Z]}\n"
    )
    assert found["spec"] == {"from": "2026-01-31", "at": [{"on": "2026-01-31T10:00:00"}, "2026-01-31T10:00:00+00:00"]}


def test_dates_in_a_file_of_a_pipeline_are_text_too(file: Path) -> None:
    (file.parent / "p.yaml").write_text("pipeline: p\nsince: 2026-01-31\n")
    found = definition(file, "job: aa\nspec: {pipeline_file: p.yaml}\n")
    assert found["spec"]["pipeline"] == {"pipeline": "p", "since": "2026-01-31"}


@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan", "!!binary aGk="])
def test_what_cannot_be_sent_is_refused_with_its_place(file: Path, value: str) -> None:
    with pytest.raises(InvalidInput, match=r"jobs\.yaml:6:3: ") as caught:
        read(file, f"job: aa\nkind: sql\n---\njob: bb\nspec:\n  most: {value}\n")
    assert caught.value.hint


def test_a_task_that_is_none_is_left_to_the_server(file: Path) -> None:
    found = definition(file, "job: aa\nkind: flow\nspec: {tasks: [nonsense, {name: a}, 5, null]}\n")
    assert found["spec"]["tasks"] == ["nonsense", {"name": "a"}, 5, None]


def test_a_file_may_hold_several_jobs(file: Path) -> None:
    jobs = read(
        file, "---\njob: aa\nspec:\n  sql: |\n    SELECT 1\n    --- no end\n--- # the next\njob: bb\n---\n# none\n"
    )
    assert [job.name for job in jobs] == ["aa", "bb"]
    assert jobs[0].definition["spec"]["sql"] == "SELECT 1\n--- no end\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("job: aa\n---\nkind: sql\n", "3:1: the job's name is missing"),
        ("job: aa\n---\njob: bb\nspec: [\n", "5:1: this is not YAML"),
        ("# nothing\n", "1:1: the job's name is missing"),
        ("---\n---\n", "1:1: the job's name is missing"),
    ],
)
def test_a_mistake_is_said_with_its_line_in_the_file(file: Path, text: str, place: str) -> None:
    with pytest.raises(InvalidInput, match=f"jobs.yaml:{place}"):
        read(file, text)


def test_a_job_stands_in_one_place(file: Path) -> None:
    with pytest.raises(InvalidInput, match="The job aa is there twice"):
        read(file, "job: aa\n---\njob: aa\n")
