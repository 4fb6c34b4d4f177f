"""SQL on Trino, through a connection."""

from boathouse.control.connections.kinds.trino import TrinoConfig, access_of
from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.control.jobs.kinds.sql_statements import told
from boathouse.control.jobs.touched import Touched
from boathouse.control.lineage.statements import touched_by
from boathouse.control.lineage.table_names import TrinoNames
from boathouse.engines.trino.access import TrinoAccess
from boathouse.engines.trino.attempts import attempt_session
from boathouse.engines.trino.query import Query
from boathouse.engines.trino.statements import split
from boathouse.kit.errors import WorkFailed


def execute(attempt: Attempt, sql: str, rows: int) -> None:
    statements, values = split(sql), attempt.typed

    def warn(text: str) -> None:
        attempt.log(text, stream="system")

    with attempt_session(_access(attempt), attempt.run_id, attempt.number, warn) as session:
        for statement in told(attempt, statements):
            # Left before its end, by an error, a stop or rows enough, it is ended on the server too.
            with Query(session, statement, values, lambda progress: attempt.progress(vars(progress))) as query:
                if query.has_columns:
                    attempt.keep(query.batches(at_most=rows + 1), query.schema, at_most=rows)
                elif (changed := query.finish()) is not None:
                    attempt.log(f"{changed:,} rows changed", stream="system")


def touched(attempt: Attempt, sql: str) -> Touched:
    names = TrinoNames(attempt.lake().spark.catalog, _access(attempt).catalog)
    return touched_by([statement.text for statement in split(sql)], names)


def _access(attempt: Attempt) -> TrinoAccess:
    given = attempt.connections.get(attempt.spec["connection"])
    if given is None:
        raise WorkFailed("The worker gave no connection.", hint="Is it of the same version as the control plane?")
    return access_of(TrinoConfig.model_validate(given.config), given.in_clear())
