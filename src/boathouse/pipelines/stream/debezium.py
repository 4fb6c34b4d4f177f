"""The connector that follows a database: Debezium's, in Kafka Connect, configured and watched over its HTTP interface."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from boathouse.kit.access import ConnectAccess, PostgresAccess
from boathouse.kit.errors import BoathouseError, InvalidInput, Unavailable
from boathouse.kit.ids import new_uuid
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.spec import PostgresSource, StreamSpec

UNAVAILABLE_VALUE = "__debezium_unavailable_value"
"""What stands for a large value that an update did not touch, and that Postgres therefore did not log."""
_SECONDS = 30.0
# That Postgres takes.
_LONGEST_NAME = 63
# Between a pipeline's slug, which has none, and what tells its connectors apart.
_MARK = "-"
_OURS = "boathouse_"
# How much of an identifier tells them apart. Where the slug is long it is more: so they are told from those of earlier versions.
_OWN, _OWN_OF_LONG = 8, 12
_LONGEST_SLUG = _LONGEST_NAME - len(f"{_OURS}__") - _OWN
# Kept with a connector, to which they say nothing: where Postgres's log stood before it was made, and where its topics ended.
_ROWS_FROM, _SINCE = "boathouse.rows.from", "boathouse.since"
# Rows may be of any size, and Connect's heap is not: they are bounded by bytes, in the queue and in what is fetched of the rows
# that are there. Of that, two fetches are held while the next one comes. Small rows come five hundred at once: more were no
# quicker. The first few tell how large they are, and of large ones fewer are fetched: as many as fit a fifth of the heap, by
# the largest until then. A row that is larger than that alone is an event that Kafka would not take.
_BOUNDED = {
    "max.queue.size.in.bytes": str(32 * 1024 * 1024),
    "snapshot.fetch.size": "20",
    "driver.adaptiveFetch": "true",
    "driver.adaptiveFetchMaximum": "500",
    "driver.maxResultBuffer": "20p",
}
# With no change in its tables a slot would hold the log of everybody else's. It may go no further than what Connect has
# noted, or a restart would ask for a log that is gone; and Connect notes only what is told. So a message of a few bytes
# is put into the log now and then, whose place is noted, with the next one, and that itself is no event.
_TOLD_WHEN_QUIET = {
    "lsn.flush.mode": "connector",
    # What has been read is noted that late, twice: to whoever looks at it, it is behind meanwhile.
    "heartbeat.interval.ms": "2000",
    "heartbeat.action.query": "SELECT pg_logical_emit_message(false, 'boathouse', '')",
    "message.prefix.exclude.list": "boathouse",
}
_VALUES = {
    # What people can read and mend, and what no reader can take for another precision.
    "decimal.handling.mode": "string",
    "time.precision.mode": "isostring",
    # In JSON that is base64, as is `base64`; but of large values that an update left alone that one makes null.
    "binary.handling.mode": "bytes",
    "interval.handling.mode": "string",
    "hstore.handling.mode": "json",
    "unavailable.value.placeholder": UNAVAILABLE_VALUE,
    # Large values that an update left alone are not in the log: they are read from the table by its key. Should the
    # value have changed since, the change that did it follows, and brings the same one.
    "post.processors": "reselect",
    "reselect.type": "io.debezium.processors.reselect.ReselectColumnsPostProcessor",
    "reselect.reselect.unavailable.values": "true",
    "reselect.reselect.null.values": "false",
    # A row that is gone by then is not found; its end follows.
    "reselect.reselect.error.handling.mode": "warn",
}
# As Kafka's producer says it. No setting has a connector leave such an event out, or mark it.
_TOO_LARGE = re.compile(r"RecordTooLargeException: (.*)")
# As Debezium says it, behind all that it knows of where it was.
_NO_LONGER_THERE = "no longer available on the server"
# Of one that somebody has halted.
_HALTED = ("PAUSED", "STOPPED")


def assigned(slug: str, wanted: Sequence[str], known: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Which connector follows which of the tables that are wanted, by what those that are there follow already.

    Debezium reads the rows that are there only when it begins. Tables that came later have a connector of their own for
    that, with a slot of its own, so that what it reads and what it follows from then on meet at one place of the log.
    """
    found = {name: [table for table in tables if table in wanted] for name, tables in known.items()}
    new = [table for table in wanted if not any(table in tables for tables in found.values())]
    if new:
        # Never a name that was used: Connect remembers how far a connector was, also one that is gone.
        own = _OWN if len(slug) <= _LONGEST_SLUG else _OWN_OF_LONG
        found[f"{slug}{_MARK}{new_uuid()[-own:]}"] = new
    return found


def slot_name(connector: str) -> str:
    """In Postgres; the publication has it too. Of a pipeline's slug, what those of its connectors begin with."""
    slug, _, own = connector.partition(_MARK)
    # No slug begins with one or has two in a row, so it is nobody else's.
    name = f"{_OURS}{slug}__{own}" if own else f"{_OURS}{slug}"
    if len(slug) <= _LONGEST_SLUG:
        return name
    if len(own) == _OWN:
        # A connector of an earlier version has it still, whose it is nobody can tell by it.
        return f"{_OURS}_{_hashed(name)}"
    return f"{_OURS}_{_hashed(slug)}__{own}" if own else f"{_OURS}_{_hashed(slug)}"


def _hashed(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Following:
    tables: list[str]
    rows_from: int | None
    """Where Postgres's log stood before the connector was made; None if that was not noted then."""
    since: Offsets | None = None
    """Where its topics ended by then; likewise."""


def connector_config(
    spec: StreamSpec,
    connector: str,
    following: Following,
    postgres: PostgresAccess,
    password: str,
    *,
    untold: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, str]:
    """`password` is how Connect looks it up; `untold` are columns by table that come with the first rows and with no change."""
    partitions = spec.source.partitions if isinstance(spec.source, PostgresSource) else 1
    name = slot_name(connector)
    left_out = [f"{table}.{column}" for table in following.tables for column in (untold or {}).get(table, ())]
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": postgres.host,
        "database.port": str(postgres.port),
        "database.user": postgres.user,
        "database.password": password,
        "database.dbname": postgres.database,
        "database.sslmode": postgres.sslmode,
        "plugin.name": "pgoutput",
        "slot.name": name,
        "publication.name": name,
        "publication.autocreate.mode": "filtered",
        # Changes of partitions come as those of the table that they are of, which is the one that is followed.
        "publish.via.partition.root": "true",
        "table.include.list": ",".join(following.tables),
        **({"column.exclude.list": ",".join(map(re.escape, left_out))} if left_out else {}),
        "topic.prefix": spec.prefix,
        **({} if following.rows_from is None else {_ROWS_FROM: str(following.rows_from)}),
        **({} if following.since is None else {_SINCE: json.dumps(following.since, sort_keys=True)}),
        # By its prefix alone its metrics would be taken for those of another.
        "custom.metric.tags": f"connector={connector}",
        "topic.creation.default.replication.factor": "-1",
        "topic.creation.default.partitions": str(partitions),
        # An event's offset in Postgres and the event itself are written in one transaction: a crash repeats none.
        "exactly.once.support": "required",
        "tombstones.on.delete": "false",
        # A truncated table is a change like any other; Debezium would leave it out.
        "skipped.operations": "none",
        **_VALUES,
        # A database that is away for a while is waited for.
        "errors.max.retries": "-1",
        "retriable.restart.connector.wait.ms": "2000",
        **_TOLD_WHEN_QUIET,
        # A batch is a transaction of Kafka. What waits in the queue is looked through by Java again and again: of four times as
        # many a snapshot took a third longer.
        "max.batch.size": "4096",
        "max.queue.size": "8192",
        **_BOUNDED,
        "producer.override.linger.ms": "20",
        "producer.override.batch.size": "524288",
        "producer.override.compression.type": "lz4",
    }


@dataclass(frozen=True)
class Connector:
    """As Connect tells it: RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED."""

    state: str
    error: str | None = None


def standing(connectors: Mapping[str, Connector]) -> tuple[str, str | None]:
    """How a pipeline's connectors are, as a hop tells it, and what is wrong with the first of them that is not well."""
    for one in connectors.values():
        if one.state == "FAILED":
            return "failing", one.error
    for name, one in connectors.items():
        if one.state in _HALTED:
            return "stopped", f"Debezium's connector {name} is {one.state.lower()} in Kafka Connect: resume it there."
    well = connectors and all(one.state == "RUNNING" for one in connectors.values())
    return "running" if well else "starting", None


def _following(config: Mapping[str, str]) -> Following:
    rows_from, since = config.get(_ROWS_FROM), config.get(_SINCE)
    return Following(
        config.get("table.include.list", "").split(","),
        None if rows_from is None else int(rows_from),
        None if since is None else json.loads(since),
    )


def rows_from(following: Mapping[str, Following]) -> dict[str, int]:
    """Of each table, where Postgres's log stood before its rows were read."""
    found = {table: one.rows_from for one in following.values() for table in one.tables}
    return {table: place for table, place in found.items() if place is not None}


def emptied(prefix: str, table: str, lsn: int, milliseconds: int) -> bytes:
    """An event as Debezium has one when a table is emptied: what came before that place of the log does not count."""
    schema, _, name = table.partition(".")
    source = {"name": prefix, "schema": schema, "table": name, "lsn": lsn, "ts_ms": milliseconds}
    event = {"before": None, "after": None, "source": source, "op": "t", "ts_ms": milliseconds}
    return json.dumps(event).encode()


class Connectors:
    def __init__(self, access: ConnectAccess) -> None:
        login = (access.user, access.password.get_secret_value())
        self._uri = access.uri
        self._http = httpx.Client(base_url=access.uri, auth=login, timeout=_SECONDS, trust_env=False)

    def following(self, slug: str) -> dict[str, Following]:
        """A pipeline's connectors."""
        # Until it is ready it lists those that it has read of by then.
        self._call("GET", "/health")
        told: Any = self._call("GET", "/connectors", params={"expand": "info"})
        mine = {name: one for name, one in told.items() if name == slug or name.startswith(slug + _MARK)}
        return {name: _following(one["info"]["config"]) for name, one in mine.items()}

    def put(self, name: str, config: Mapping[str, str]) -> None:
        """As it should be; nothing is restarted where it is so already."""
        if self._call("GET", f"/connectors/{name}/config", missing={}) != {**config, "name": name}:
            self._call("PUT", f"/connectors/{name}/config", json=dict(config))

    def status(self, name: str) -> Connector:
        told: Any = self._call("GET", f"/connectors/{name}/status", missing={})
        tasks: list[Any] = told.get("tasks", [])
        connector = told.get("connector", {"state": "UNASSIGNED"})
        parts = [connector, *tasks]
        for part in parts:
            if part.get("trace"):
                return Connector("FAILED", _why(str(part["trace"])))
        # One that was just made has no tasks yet, and one that was stopped has none any more.
        return Connector(parts[-1]["state"] if tasks or connector["state"] in _HALTED else "UNASSIGNED")

    def restart(self, name: str) -> None:
        self._call("POST", f"/connectors/{name}/restart", params={"includeTasks": "true", "onlyFailed": "true"})

    def remove(self, name: str, give_back: Callable[[], None]) -> None:
        """And how far it has come, or one of its name would go on from there with a slot that does not reach back.

        What it holds elsewhere is given back before it is gone itself: by it, that is found again after whatever went wrong.
        """
        there = bool(self._call("GET", f"/connectors/{name}/config", missing={}))
        if there:
            self._call("PUT", f"/connectors/{name}/stop")
            # It takes a moment, and is refused until then.
            patient = Retrying(
                stop=stop_after_delay(_SECONDS),
                wait=wait_fixed(0.5),
                retry=retry_if_exception_type(BoathouseError),
                reraise=True,
            )
            patient(self._call, "DELETE", f"/connectors/{name}/offsets")
        give_back()
        if there:
            self._call("DELETE", f"/connectors/{name}", missing={})

    def close(self) -> None:
        self._http.close()

    def _call(self, method: str, path: str, *, missing: Any = None, **options: Any) -> Any:
        try:
            answer = self._http.request(method, path, **options)
        except httpx.HTTPError as error:
            raise Unavailable(
                f"Kafka Connect at {self._uri} does not answer: {error or type(error).__name__}.",
                hint="See `boathouse status` and `boathouse logs connect`.",
            ) from error
        if answer.is_success:
            return answer.json() if answer.content else {}
        if answer.status_code == HTTPStatus.NOT_FOUND and missing is not None:
            return missing
        raise _refusal(answer)


def _why(trace: str) -> str:
    """It failed. Of a change that Kafka does not take, the first line says only that a transaction did not go well."""
    if _NO_LONGER_THERE in trace:
        return (
            "Postgres no longer has its log from where Debezium was: the slot was dropped, or has gone on without it. The changes "
            "in between are in no topic. Begin anew: `boathouse pipeline remove`, then run it."
        )
    if (found := _TOO_LARGE.search(trace)) is None:
        return trace.splitlines()[0]
    return (
        f"A change is too large for Kafka, and neither it nor what comes after it is read. {found[1]} "
        "`boathouse logs connect` has its topic (failed to send record to). See that the row itself is smaller, or that its "
        "table does not log what rows were before (ALTER TABLE … REPLICA IDENTITY DEFAULT), and begin anew: "
        "`boathouse pipeline remove`, then run it."
    )


def _refusal(answer: httpx.Response) -> BoathouseError:
    try:
        message = str(answer.json()["message"])
    except (ValueError, KeyError, TypeError):
        message = f"status {answer.status_code}"
        if answer.status_code == HTTPStatus.NOT_FOUND:
            # What is missing it names; before it has begun it knows none of its own addresses.
            return Unavailable("Kafka Connect is still starting.", hint="Look again in a moment.")
    # It is busy with its own affairs for a moment after each change.
    kind = Unavailable if answer.status_code >= 500 or answer.status_code == HTTPStatus.CONFLICT else InvalidInput
    return kind(f"Kafka Connect refused: {message}")
