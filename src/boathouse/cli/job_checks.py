"""What can be said of a job's file before it is sent: the server knows no pipelines."""

from typing import Any

import yaml

from boathouse.cli.job_files import JobFile
from boathouse.pipelines.specs import parse_any


def check_pipelines(job: JobFile) -> None:
    """Refuse a pipeline that could only fail. One with parameters is known only when it runs."""
    for pipeline in _pipelines(job.definition):
        text = yaml.safe_dump(pipeline, sort_keys=False)
        if "{{" not in text:
            parse_any(text, f"the pipeline of {job.path}")


def _pipelines(definition: Any) -> list[Any]:
    """Wherever they stand. What is something else than it should be is for the server to refuse."""
    match definition:
        case {"kind": "pipeline" | "stream", "spec": {"pipeline": pipeline}}:
            return [pipeline]
        case {"spec": {"tasks": [*tasks]}}:
            return [one for task in tasks for one in _pipelines(task)]
        case _:
            return []
