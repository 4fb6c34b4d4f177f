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


def _pipelines(definition: dict[str, Any]) -> list[Any]:
    spec: Any = definition.get("spec")
    if not isinstance(spec, dict):
        return []
    tasks: list[Any] = spec.get("tasks") or []  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    has_one = definition.get("kind") in {"pipeline", "stream"} and "pipeline" in spec
    own: list[Any] = [spec["pipeline"]] if has_one else []
    return own + [one for task in tasks if isinstance(task, dict) for one in _pipelines(task)]  # pyright: ignore[reportUnknownArgumentType]
