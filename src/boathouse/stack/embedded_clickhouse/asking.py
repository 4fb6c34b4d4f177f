"""Questions asked of the engine: which connection each has, and which way its statement goes."""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from boathouse.stack.embedded_clickhouse import metrics
from boathouse.stack.embedded_clickhouse.asked import Arrived, Asked
from boathouse.stack.embedded_clickhouse.bodies import Body
from boathouse.stack.embedded_clickhouse.engine import Engine, Outcome
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.inserting import insert_data
from boathouse.stack.embedded_clickhouse.questions import Question
from boathouse.stack.embedded_clickhouse.running import RunningQueries, comment, named_by_kill
from boathouse.stack.embedded_clickhouse.selecting import select
from boathouse.stack.embedded_clickhouse.sessions import HeldConnection, Sessions
from boathouse.stack.embedded_clickhouse.sql_text import Insert, Statement, insert_with_data, named, read_statement
from boathouse.stack.embedded_clickhouse.threads import EngineThreads


class Asking:
    """What all questions share: the engine and its threads, the sessions, and who runs."""

    def __init__(self, engine: Engine, database: str, max_queries: int, scratch: Path) -> None:
        self.engine = engine
        self.scratch = scratch
        self._database = database
        self._threads = EngineThreads(engine, max_queries)
        self._sessions = Sessions(engine.connect)
        self._running = RunningQueries(max_queries)

    async def answer(self, arrived: Arrived) -> None:
        began = time.monotonic()
        running = self._running.begin(arrived.question.query_id)
        metrics.RUNNING.inc()
        kind, outcome, error = "other", Outcome(), None
        try:
            insert = insert_with_data(arrived.body.head().decode("latin-1"))
            # A long one takes its time to be read, and others are answered meanwhile.
            statement = read_statement("INSERT") if insert else await self._threads.run(lambda: _whole(arrived.body))
            kind = statement.kind
            async with self._connection(arrived.question) as held:
                asked = Asked(arrived, held, running)
                async with self._prepared(asked):
                    outcome = await (self._insert(asked, insert) if insert else self._statement(asked, statement))
        except ClickHouseError as failed:
            error = failed.name
            raise
        finally:
            self._running.end(running)
            metrics.RUNNING.dec()
            _tell(arrived.question, kind, outcome, error, time.monotonic() - began)

    async def _statement(self, asked: Asked, statement: Statement) -> Outcome:
        connection, question = asked.held.connection, asked.question
        reads = await self._threads.run(lambda: connection.only_reads(statement.text))
        if question.reads_only and not reads and statement.verb not in {"SET", "USE"}:
            raise _reads_only()
        if question.session is not None and statement.verb == "SET":
            _check_set_in_session(question, statement)
        if reads and statement.selects:
            return await select(asked, statement, self._threads, self.scratch)
        sql, output = statement.text, statement.format or question.default_format
        if statement.verb == "KILL":
            ids, sql = await self._threads.run(lambda: named_by_kill(connection, statement.text))
            self._running.kill(ids)
        content, outcome = await self._threads.run(lambda: connection.run(sql, output, question.parameters))
        await asked.arrived.answer.whole(content, output, outcome)
        return outcome

    async def _insert(self, asked: Asked, insert: Insert) -> Outcome:
        if asked.question.reads_only:
            raise _reads_only()
        outcome = await self._threads.run(lambda: insert_data(asked, insert, self.scratch))
        await asked.arrived.answer.whole(b"", None, outcome)
        return outcome

    @asynccontextmanager
    async def _prepared(self, asked: Asked) -> AsyncGenerator[None]:
        connection, tables = asked.held.connection, asked.arrived.tables
        await self._threads.run(lambda: self._prepare(asked))
        try:
            for table in tables:
                await self._threads.run(lambda table=table: table.make(connection))
            yield
        finally:
            for table in tables:
                await self._threads.run(lambda table=table: table.drop(connection))

    def _prepare(self, asked: Asked) -> None:
        """The connection as the question wants it."""
        question, held = asked.question, asked.held
        if question.database or question.session is None:
            held.connection.run(f"USE {named(question.database or self._database)}")
        readonly = {"readonly": str(question.readonly)} if question.reads_only and question.session is None else {}
        noted = {"log_comment": comment(question.query_id, question.settings)}
        held.apply({**question.settings, **noted, **readonly})

    @asynccontextmanager
    async def _connection(self, question: Question) -> AsyncGenerator[HeldConnection]:
        session = question.session
        if session is None:
            held = HeldConnection(self.engine.connect())
            try:
                yield held
            finally:
                held.connection.close()
            return
        held = self._sessions.take(session)
        try:
            yield held
        finally:
            self._sessions.give_back(session)

    async def stop_all(self) -> None:
        for query_id in self._running.kill(list(self._running.by_id)):
            await self._threads.tell_to_stop(query_id)

    def expire_sessions(self) -> None:
        self._sessions.expire()

    def close(self) -> None:
        self._threads.close()
        self._sessions.close()
        self.engine.close()


def _whole(body: Body) -> Statement:
    statement = read_statement(body.text())
    if not statement.verb:
        raise ClickHouseError(62, "SYNTAX_ERROR", "Syntax error: failed at position 1 (end of query): Empty query.")
    if statement.several:
        raise ClickHouseError(62, "SYNTAX_ERROR", "Syntax error: Multi-statements are not allowed.")
    if statement.own_files:
        raise ClickHouseError(358, "INTO_OUTFILE_NOT_ALLOWED", "INTO OUTFILE and FROM INFILE are not allowed")
    if statement.takes_input:
        # Elsewhere than in an INSERT with data the engine would read nothing, and say nothing of it.
        raise ClickHouseError(48, "NOT_IMPLEMENTED", "input() is taken only in INSERT ... SELECT ... FORMAT")
    return statement


def _reads_only() -> ClickHouseError:
    return ClickHouseError(164, "READONLY", "Cannot execute query in readonly mode.")


def _check_set_in_session(question: Question, statement: Statement) -> None:
    if question.readonly == 1:
        raise ClickHouseError(164, "READONLY", "Cannot modify settings in readonly mode.")
    if statement.names_readonly:
        # It could never be taken back, and not even a query's id be given to the engine any more.
        raise ClickHouseError(48, "NOT_IMPLEMENTED", "readonly is not SET in a session: give it with each query")


def _tell(question: Question, kind: str, outcome: Outcome, error: str | None, seconds: float) -> None:
    """Never the query's text or its parameters: a secret may stand there."""
    metrics.count(kind, error, seconds, outcome)
    structlog.get_logger().info(
        "query",
        query_id=question.query_id,
        kind=kind,
        seconds=round(seconds, 4),
        error=error,
        read_rows=outcome.read_rows,
        written_rows=outcome.written_rows,
    )
