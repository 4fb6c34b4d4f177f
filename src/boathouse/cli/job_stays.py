"""What a stream leaves behind when its job is deleted. Only its spec can end that, and it is deleted with the job."""

from dataclasses import dataclass
from typing import Any

from boathouse.cli.job_files import spec_text
from boathouse.client.jobs import Job


@dataclass(frozen=True)
class Stays:
    warning: str
    spec: str


def what_stays(job: Job) -> Stays | None:
    """None of a job that leaves nothing."""
    spec: dict[str, Any] = job.definition.get("spec") or {}
    pipeline: Any = spec.get("pipeline")
    if job.definition.get("kind") != "stream" or not isinstance(pipeline, dict):
        return None
    source: Any = pipeline.get("source")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    follows_topics = isinstance(source, dict) and source.get("kind") == "kafka"  # pyright: ignore[reportUnknownMemberType]
    held = _IN_STORE if follows_topics else _IN_POSTGRES
    text = spec_text(pipeline)  # pyright: ignore[reportUnknownArgumentType]
    how = "End that with `boathouse pipeline remove FILE` once it is stopped; what is to be in the file is written to the output."
    named = [one["name"] for one in job.definition.get("parameters") or () if f"{{{{{one['name']}}}}}" in text]
    filled = f" Put values in the place of its parameters there: {', '.join(named)}." if named else ""
    return Stays(f"{held} {how}{filled}", text)


_IN_POSTGRES = (
    "Its connectors in Kafka Connect, and its slots and publications in Postgres, stay: Postgres keeps its log for a slot "
    "that nobody reads, until the disk is full."
)
_IN_STORE = "What it needs to go on, in the object store, stays."
