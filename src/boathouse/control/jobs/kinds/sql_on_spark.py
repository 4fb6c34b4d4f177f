"""SQL on the lake's own Spark."""

from dataclasses import asdict

from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.control.jobs.kinds.spark_watched import watched
from boathouse.control.jobs.kinds.sql_statements import told
from boathouse.control.jobs.touched import Touched
from boathouse.control.lineage.statements import touched_by
from boathouse.control.lineage.table_names import SparkNames
from boathouse.engines.spark.attempts import attempt_session
from boathouse.engines.spark.progress import Progress, progress_to
from boathouse.engines.spark.query import run
from boathouse.engines.spark.statements import split


def execute(attempt: Attempt, sql: str, rows: int) -> None:
    statements = split(sql)
    access = attempt.lake().spark
    session_of = attempt_session(access, attempt.run_id, attempt.number, attempt.job)
    with session_of as session, watched(attempt, access) as watch:

        def heard(progress: Progress) -> None:
            """From Spark Connect, which tells less: for where the driver cannot be asked."""
            if not watch.sees:
                attempt.progress(asdict(progress))

        for statement in told(attempt, statements):
            with progress_to(session, heard):
                result = run(session, statement, at_most=rows + 1, values=dict(attempt.typed))
                if result.has_columns:
                    attempt.keep(result.batches, result.schema, at_most=rows)


def touched(attempt: Attempt, sql: str) -> Touched:
    return touched_by([statement.text for statement in split(sql)], SparkNames(attempt.lake().spark.catalog))
