"""What a snapshot says of the run that wrote it, under names that everybody agrees on."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from boathouse.kit.settings import RUN_PREFIX

RUN_ID = "boathouse.run-id"
JOB = "boathouse.job"
SESSION_OF_RUN = f"{RUN_PREFIX}SPARK_SESSION"
"""The variable with the id of the one session of Spark's that is the run's."""
# How a session of Spark is told what to put into each snapshot's summary.
IN_SESSION = "spark.sql.iceberg.snapshot-property."


@dataclass(frozen=True)
class Run:
    """Of the control plane; a query has no job."""

    id: str
    job: str
    workspace: str


def this_run(environment: Mapping[str, str] = os.environ) -> Run | None:
    """For a program that a run started; None if none did."""
    run_id = environment.get(f"{RUN_PREFIX}ID")
    told = [environment.get(f"{RUN_PREFIX}{name}", "") for name in ("JOB", "WORKSPACE")]
    return Run(run_id, *told) if run_id else None


def session_settings(run_id: str, job: str) -> dict[str, str]:
    """For a session: every snapshot that is committed in it says which run that was."""
    return {IN_SESSION + name: value for name, value in _said(run_id, job).items()}


def settings_of_this_run(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """For a program that a run started; nothing if none did."""
    return {IN_SESSION + name: value for name, value in said_of_this_run(environment).items()}


def said_of_this_run(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The same, for a snapshot that such a program commits by itself."""
    run = this_run(environment)
    return _said(run.id, run.job) if run else {}


def _said(run_id: str, job: str) -> dict[str, str]:
    return {RUN_ID: run_id, **({JOB: job} if job else {})}


def session_of_this_run(environment: Mapping[str, str] = os.environ) -> str | None:
    """For a command that a run is carried out by; None if it is anybody else's."""
    return environment.get(SESSION_OF_RUN)
