"""A PySpark program: its text, a file or a module, on the lake's Spark."""

import os
import sys
from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import Field, StringConstraints, model_validator

from boathouse.control.jobs.kinds.files import fetched
from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.parameters import filled
from boathouse.control.jobs.touched import Touched

Table = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class SparkSpec(Spec):
    code: str | None = Field(default=None, min_length=1, max_length=1_000_000, description="The program's text.")
    file: str | None = Field(default=None, min_length=1, max_length=1000, description="Where it is, as s3://…")
    module: str | None = Field(
        default=None, pattern=r"^[A-Za-z_][\w.]*$", max_length=300, description="Of one of the packages."
    )
    packages: list[str] = Field(
        default_factory=list, max_length=50, description="Archives with modules (.zip, .whl), as s3://…"
    )
    arguments: list[str] = Field(default_factory=list, max_length=200)
    environment: dict[str, str] = Field(default_factory=dict, max_length=50)
    reads: list[Table] = Field(default_factory=list, max_length=200, description="Tables that it reads, for lineage.")
    writes: list[Table] = Field(default_factory=list, max_length=200, description="Tables that it writes.")

    @model_validator(mode="after")
    def _one_program(self) -> Self:
        if sum(given is not None for given in (self.code, self.file, self.module)) != 1:
            raise ValueError("give one of code, file and module")
        return self


class Spark(Kind):
    name: ClassVar[str] = "spark"
    title: ClassVar[str] = "PySpark program"
    spec: ClassVar[type[Spec]] = SparkSpec

    def execute(self, attempt: Attempt) -> None:
        """In a process of its own, whose SparkSession is one on the lake's server."""
        from boathouse.control.jobs.kinds.spark_watched import watched
        from boathouse.engines.spark.attempts import program_session

        spec = SparkSpec.model_validate(dict(attempt.spec))
        packages = [str(fetched(package, attempt)) for package in filled(spec.packages, attempt.values)]
        command = [sys.executable, "-u", *_program(spec, attempt), *filled(spec.arguments, attempt.values)]
        own = {**filled(spec.environment, attempt.values), "PYTHONPATH": os.pathsep.join(packages)}
        access = attempt.lake().spark
        session_of = program_session(access, attempt.run_id, attempt.number, attempt.job)
        with session_of as session, watched(attempt, access):
            attempt.run(command, {**own, **session})

    def touched(self, attempt: Attempt) -> Touched:
        """What whoever wrote it says: nobody else knows."""
        spec = SparkSpec.model_validate(dict(attempt.spec))
        reads, writes = (frozenset[str](filled(names, attempt.values)) for names in (spec.reads, spec.writes))
        return Touched(reads=reads, writes=writes)


def _program(spec: SparkSpec, attempt: Attempt) -> list[str]:
    if spec.module is not None:
        return ["-m", spec.module]
    if spec.file is not None:
        return [str(fetched(filled(spec.file, attempt.values), attempt))]
    program = Path(attempt.scratch) / "program.py"
    program.write_text(spec.code or "")
    return [str(program)]
