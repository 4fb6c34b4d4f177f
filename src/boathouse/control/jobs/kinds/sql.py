"""Statements in SQL, on the lake's own Spark."""

from typing import ClassVar

from pydantic import Field

from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.touched import Touched
from boathouse.kit.errors import InvalidInput


class SqlSpec(Spec):
    sql: str = Field(min_length=1, max_length=500_000, description="Statements, with `;` between them.")
    rows: int = Field(default=10_000, ge=0, le=1_000_000, description="Of the last result, how many are kept.")


class Sql(Kind):
    name: ClassVar[str] = "sql"
    title: ClassVar[str] = "SQL"
    spec: ClassVar[type[Spec]] = SqlSpec
    leaves_nothing: ClassVar[bool] = True

    def execute(self, attempt: Attempt) -> None:
        """One statement after another; parameters go in as `:name`, never by changing the text."""
        from boathouse.engines.spark.attempts import attempt_session
        from boathouse.engines.spark.progress import progress_to
        from boathouse.engines.spark.query import run
        from boathouse.engines.spark.statements import split

        spec = SqlSpec.model_validate(dict(attempt.spec))
        statements = split(spec.sql)
        if not statements:
            raise InvalidInput("There is no statement to run.", hint="The job's SQL holds only comments.")
        lake = attempt.lake().spark
        with attempt_session(lake, attempt.run_id, attempt.number, attempt.job) as session:
            for number, statement in enumerate(statements, 1):
                attempt.log(f"Statement {number} of {len(statements)}: {_first_line(statement.text)}", stream="system")
                with progress_to(session, lambda told: attempt.progress(vars(told))):
                    result = run(session, statement, at_most=spec.rows + 1, values=dict(attempt.typed))
                    if result.has_columns:
                        attempt.keep(result.batches, result.schema, at_most=spec.rows)

    def touched(self, attempt: Attempt) -> Touched:
        from boathouse.control.lineage.statements import touched_by
        from boathouse.engines.spark.statements import split

        spec = SqlSpec.model_validate(dict(attempt.spec))
        return touched_by([statement.text for statement in split(spec.sql)], attempt.lake().spark.catalog)


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 120 else f"{line[:117]}..."
