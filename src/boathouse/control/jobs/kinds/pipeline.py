"""A pipeline of ours, by its spec: the same text that `boathouse pipeline run` takes. Rejects of a stream are replayed by it too."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar

import orjson
import yaml
from pydantic import Field, StringConstraints

from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.kinds.stream import follows
from boathouse.control.jobs.parameters import filled
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.touched import Touched
from boathouse.kit.errors import InvalidInput

RejectId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
MOST_IDS = 1000


class ReplaySpec(Spec):
    """Which rejected rows; of those only the open ones, and all of them if nothing is said."""

    ids: list[RejectId] | None = Field(default=None, min_length=1, max_length=MOST_IDS)
    reason: Text | None = Field(default=None, description="Without the values in it, as they are counted.")
    load_id: Text | None = None
    file: Text | None = None
    by: str | None = Field(default=None, max_length=100, description="Who wants it.")


class PipelineSpec(Spec):
    pipeline: dict[str, Any] = Field(
        min_length=1, description="The pipeline's spec. `boathouse pipeline keys` lists it."
    )
    again: bool = Field(default=False, description="Also load files that were loaded before.")
    replay: ReplaySpec | None = Field(default=None, description="Load no files, but replay rows that were rejected.")


class Pipeline(Kind):
    name: ClassVar[str] = "pipeline"
    title: ClassVar[str] = "Pipeline"
    spec: ClassVar[type[Spec]] = PipelineSpec

    def check(self, definition: Definition) -> None:
        super().check(definition)
        if follows(definition.spec["pipeline"]):
            raise InvalidInput(
                "This pipeline follows a stream: its source has a `kind`.", hint="Make it a job of the kind stream."
            )

    def execute(self, attempt: Attempt) -> None:
        """By the command that people use: the two rooms meet as processes."""
        from boathouse.control.jobs.kinds.spark_watched import watched
        from boathouse.engines.spark.attempts import command_session

        spec = PipelineSpec.model_validate(dict(attempt.spec))
        text, report = (Path(attempt.scratch) / name for name in ("pipeline.yaml", "report.json"))
        text.write_text(yaml.safe_dump(filled(spec.pipeline, attempt.values), sort_keys=False))
        wanted = [*_command(spec, str(text)), "--report", str(report)]
        access = attempt.lake().spark
        with command_session(access, attempt.run_id, attempt.number) as session, watched(attempt, access):
            attempt.run([sys.executable, "-u", "-m", "boathouse.cli.main", *wanted], session)
        attempt.report(orjson.loads(report.read_bytes()))

    def touched(self, attempt: Attempt) -> Touched:
        """Its source and its target; what it is beside these is for the pipeline to know."""
        kind = PipelineSpec.model_validate(dict(attempt.spec))
        spec = filled(kind.pipeline, attempt.values)
        table: str = spec["bronze" if follows(spec) else "target"]["table"]
        if kind.replay is not None:
            return Touched(reads=frozenset({f"{table}__rejects"}), writes=frozenset({table}))
        paths: str | list[str] = spec["source"]["path"]
        return Touched(reads=frozenset([paths] if isinstance(paths, str) else paths), writes=frozenset({table}))


def _command(spec: PipelineSpec, file: str) -> list[str]:
    if spec.replay is None:
        return ["pipeline", "run", file, *(["--again"] if spec.again else [])]
    return ["deadletter", "replay", file, *_chosen(spec.replay)]


def _chosen(wanted: ReplaySpec) -> Iterator[str]:
    named = {"--reason": wanted.reason, "--load": wanted.load_id, "--file": wanted.file}
    for option, value in {**named, "--by": wanted.by}.items():
        if value is not None:
            # In one word: what a reason begins with is not for the command line to judge.
            yield f"{option}={value}"
    if not wanted.ids and not any(named.values()):
        yield "--all"
    yield from wanted.ids or ()
