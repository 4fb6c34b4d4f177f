"""A PySpark program: its text, a file or a module, on the lake's Spark."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import orjson
from pydantic import Field, StringConstraints, model_validator

from boathouse.control.connections.needed import NeededConnection
from boathouse.control.connections.schemas import ConnectionName
from boathouse.control.jobs.kinds.files import fetched
from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.parameters import filled
from boathouse.control.jobs.touched import Touched
from boathouse.kit.files import write_private
from boathouse.kit.settings import RUN_PREFIX

CONNECTIONS_VARIABLE = f"{RUN_PREFIX}CONNECTIONS"
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
    environment: dict[str, str] = Field(
        default_factory=dict, max_length=50, description="Everybody who sees the job sees it: no place for secrets."
    )
    # None and not an empty list, so that jobs from before there were any are the same still.
    connections: list[ConnectionName] | None = Field(
        default=None,
        max_length=20,
        description=f"Their configuration and secrets are in the JSON file that {CONNECTIONS_VARIABLE} names.",
    )
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

    def needs(self, spec: Mapping[str, Any]) -> list[NeededConnection]:
        return [NeededConnection(name) for name in spec.get("connections") or ()]

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
            attempt.run(command, {**own, **_connections(attempt), **session})

    def touched(self, attempt: Attempt) -> Touched:
        """What whoever wrote it says: nobody else knows."""
        spec = SparkSpec.model_validate(dict(attempt.spec))
        reads, writes = (frozenset[str](filled(names, attempt.values)) for names in (spec.reads, spec.writes))
        return Touched(reads=reads, writes=writes)


def _connections(attempt: Attempt) -> dict[str, str]:
    """The variable that says where they are: in a file that only this user reads, and that is gone with the attempt."""
    if not attempt.connections:
        return {}
    file = Path(attempt.scratch) / "connections.json"
    write_private(file, orjson.dumps({name: one.model_dump(mode="json") for name, one in attempt.connections.items()}))
    return {CONNECTIONS_VARIABLE: str(file)}


def _program(spec: SparkSpec, attempt: Attempt) -> list[str]:
    if spec.module is not None:
        return ["-m", spec.module]
    if spec.file is not None:
        return [str(fetched(filled(spec.file, attempt.values), attempt))]
    program = Path(attempt.scratch) / "program.py"
    program.write_text(spec.code or "")
    return [str(program)]
