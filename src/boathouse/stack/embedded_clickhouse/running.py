"""The queries that run: known by the ids their clients gave, and stopped by them.

The engine gives a query an id of its own and takes none. Ours travels in the setting `log_comment`, which the engine
shows in system.processes and in its query log.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from boathouse.stack.embedded_clickhouse.engine import Connection
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.sql_text import Token, quoted, tokens

_OUR_ID = "extract(Settings['log_comment'], 'query_id=(.*)$')"
_ENDS_CONDITION = {"SYNC", "ASYNC", "TEST", "FORMAT", "SETTINGS"}


def comment(query_id: str, settings: Mapping[str, str]) -> str:
    """After what the client has put there itself."""
    return f"{settings.get('log_comment', '')} query_id={query_id}".lstrip()


@dataclass
class RunningQuery:
    query_id: str
    killed: bool = False
    on_kill: Callable[[], None] | None = None
    """Lets go of what the query may wait for, such as a reader of its result."""

    def kill(self) -> None:
        self.killed = True
        if self.on_kill:
            self.on_kill()


@dataclass
class RunningQueries:
    limit: int
    by_id: dict[str, RunningQuery] = field(default_factory=dict[str, RunningQuery])

    def begin(self, query_id: str) -> RunningQuery:
        if query_id in self.by_id:
            raise ClickHouseError(
                216, "QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING", f"Query with id = {query_id} is already running."
            )
        if len(self.by_id) >= self.limit:
            raise ClickHouseError(
                202, "TOO_MANY_SIMULTANEOUS_QUERIES", f"Too many simultaneous queries. Maximum: {self.limit}"
            )
        running = self.by_id[query_id] = RunningQuery(query_id)
        return running

    def kill(self, query_ids: Iterable[str]) -> list[str]:
        """Those of them that run."""
        found = [query_id for query_id in query_ids if query_id in self.by_id]
        for query_id in found:
            self.by_id[query_id].kill()
        return found

    def end(self, running: RunningQuery) -> None:
        self.by_id.pop(running.query_id, None)


def stop_in_engine(connection: Connection, query_id: str) -> None:
    connection.run(f"KILL QUERY WHERE {_OUR_ID} = {quoted(query_id)} ASYNC")


def named_by_kill(connection: Connection, sql: str) -> tuple[list[str], str]:
    """Which of our queries a KILL QUERY means, and the statement in the engine's terms. Of mutations, say, it knows itself."""
    found = list(tokens(sql))
    where = next((token for token in found if token.word == "WHERE"), None)
    if where is None or found[1].word != "QUERY":
        return [], sql
    end = next((token.start for token in found if token.depth == 0 and _ends(token)), len(sql))
    condition = sql[where.end : end]
    both = f"(({condition}) OR ({_in_our_terms(condition)}))"
    told = connection.ask(f"SELECT {_OUR_ID} FROM system.processes WHERE {both}")  # noqa: S608 - it is the client's SQL
    return told.splitlines(), f"{sql[: where.end]} {both} {sql[end:]}"


def _ends(token: Token) -> bool:
    return token.word in _ENDS_CONDITION or token.text == ";"


def _in_our_terms(condition: str) -> str:
    pieces, at = list[str](), 0
    for token in tokens(condition):
        if token.word == "QUERY_ID" or token.text in {"`query_id`", '"query_id"'}:
            pieces += [condition[at : token.start], _OUR_ID]
            at = token.end
    return "".join([*pieces, condition[at:]])
