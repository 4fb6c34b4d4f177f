"""What is checked of a job before it is sent, and what is left to the server."""

from pathlib import Path
from typing import Any

import pytest

from boathouse.cli.job_checks import check_pipelines
from boathouse.cli.job_files import JobFile
from boathouse.kit.errors import InvalidInput

BROKEN = {"kind": "pipeline", "spec": {"pipeline": {"pipeline": "orders"}}}


@pytest.mark.parametrize("definition", [BROKEN, {"kind": "flow", "spec": {"tasks": [{"name": "load", **BROKEN}]}}])
def test_a_pipeline_that_could_only_fail_is_refused_wherever_it_stands(definition: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"orders\.yaml"):
        check_pipelines(JobFile(Path("orders.yaml"), "orders", definition))


@pytest.mark.parametrize(
    "definition",
    [
        {"kind": "flow", "spec": {"tasks": 5}},
        {"kind": ["pipeline"], "spec": {"pipeline": 5}},
        {"kind": "flow", "spec": {"tasks": ["load", {"kind": "pipeline", "spec": "orders"}]}},
        {"kind": "pipeline", "spec": {"pipeline": {"pipeline": "{{name}}"}}},
    ],
)
def test_what_is_no_pipeline_or_not_known_yet_is_left_to_the_server(definition: dict[str, Any]) -> None:
    check_pipelines(JobFile(Path("orders.yaml"), "orders", definition))
