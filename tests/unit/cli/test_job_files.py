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
    with pytest.raises(InvalidInput, match=r"jobs\.yaml:3:3: ") as caught:
        read(file, f"job: aa\nspec:\n  most: {value}\n")
    assert caught.value.hint


def test_a_task_that_is_none_is_left_to_the_server(file: Path) -> None:
    found = definition(file, "job: aa\nkind: flow\nspec: {tasks: [nonsense, {name: a}, 5, null]}\n")
    assert found["spec"]["tasks"] == ["nonsense", {"name": "a"}, 5, None]
