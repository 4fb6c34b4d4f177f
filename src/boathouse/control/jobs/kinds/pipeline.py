"""A pipeline of ours, by its spec: the same text that `boathouse pipeline run` takes."""

import sys
from pathlib import Path
from typing import Any, ClassVar

import yaml
from pydantic import Field

from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.parameters import filled
from boathouse.control.jobs.touched import Touched


class PipelineSpec(Spec):
    pipeline: dict[str, Any] = Field(
        min_length=1, description="The pipeline's spec. `boathouse pipeline keys` lists it."
    )
    again: bool = Field(default=False, description="Also load files that were loaded before.")


class Pipeline(Kind):
    name: ClassVar[str] = "pipeline"
    title: ClassVar[str] = "Pipeline"
    spec: ClassVar[type[Spec]] = PipelineSpec

    def execute(self, attempt: Attempt) -> None:
        """By the command that people use: the two rooms meet as processes."""
        spec = PipelineSpec.model_validate(dict(attempt.spec))
        text = Path(attempt.scratch) / "pipeline.yaml"
        text.write_text(yaml.safe_dump(filled(spec.pipeline, attempt.values), sort_keys=False))
        again = ["--again"] if spec.again else []
        attempt.run([sys.executable, "-u", "-m", "boathouse.cli.main", "pipeline", "run", str(text), *again], {})

    def touched(self, attempt: Attempt) -> Touched:
        """Its source and its target; what it is beside these is for the pipeline to know."""
        spec = filled(PipelineSpec.model_validate(dict(attempt.spec)).pipeline, attempt.values)
        paths: str | list[str] = spec["source"]["path"]
        table: str = spec["target"]["table"]
        return Touched(reads=frozenset([paths] if isinstance(paths, str) else paths), writes=frozenset({table}))
