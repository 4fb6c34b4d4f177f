"""The connector that follows a database: Debezium's, in Kafka Connect, configured and watched over its HTTP interface."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

from boathouse.kit.access import ConnectAccess, PostgresAccess
from boathouse.kit.errors import BoathouseError, InvalidInput, Unavailable
from boathouse.pipelines.stream.spec import PostgresSource, StreamSpec

UNAVAILABLE_VALUE = "__debezium_unavailable_value"
"""What stands for a large value that an update did not touch, and that Postgres therefore did not log."""
_SECONDS = 30.0


def connector_config(
    spec: StreamSpec, source: PostgresSource, postgres: PostgresAccess, password: str
) -> dict[str, str]:
    """`password` is how Connect looks it up."""
    name = f"boathouse_{spec.slug}"
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
        "table.include.list": ",".join(source.tables),
        "topic.prefix": spec.prefix,
        "topic.creation.default.replication.factor": "-1",
        "topic.creation.default.partitions": str(source.partitions),
        # An event's offset in Postgres and the event itself are written in one transaction: a crash repeats none.
        "exactly.once.support": "required",
        "tombstones.on.delete": "false",
        # A truncated table is a change like any other; Debezium would leave it out.
        "skipped.operations": "none",
        # What people can read and mend, and what no reader can take for another precision.
        "decimal.handling.mode": "string",
        "time.precision.mode": "isostring",
        "binary.handling.mode": "base64",
        "interval.handling.mode": "string",
        "hstore.handling.mode": "json",
        "unavailable.value.placeholder": UNAVAILABLE_VALUE,
        # A database that is away for a while is waited for.
        "errors.max.retries": "-1",
        "retriable.restart.connector.wait.ms": "2000",
        # With no change in its tables a slot would hold the log of everybody else's.
        "heartbeat.interval.ms": "10000",
        "max.batch.size": "8192",
        "max.queue.size": "32768",
        "snapshot.fetch.size": "20000",
        "producer.override.linger.ms": "20",
        "producer.override.batch.size": "524288",
        "producer.override.compression.type": "lz4",
    }


@dataclass(frozen=True)
class Connector:
    """As Connect tells it: RUNNING, PAUSED, FAILED, UNASSIGNED."""

    state: str
    error: str | None = None


class Connectors:
    def __init__(self, access: ConnectAccess) -> None:
        login = (access.user, access.password.get_secret_value())
        self._uri = access.uri
        self._http = httpx.Client(base_url=access.uri, auth=login, timeout=_SECONDS, trust_env=False)

    def put(self, name: str, config: Mapping[str, str]) -> None:
        """As it should be; nothing is restarted where it is so already."""
        if self._call("GET", f"/connectors/{name}/config", missing={}) != {**config, "name": name}:
            self._call("PUT", f"/connectors/{name}/config", json=dict(config))

    def status(self, name: str) -> Connector:
        told: Any = self._call("GET", f"/connectors/{name}/status", missing={})
        tasks: list[Any] = told.get("tasks", [])
        parts = [told.get("connector", {"state": "UNASSIGNED"}), *tasks]
        for part in parts:
            if part.get("trace"):
                return Connector("FAILED", str(part["trace"]).splitlines()[0])
        return Connector(parts[-1]["state"] if tasks else "UNASSIGNED")

    def restart(self, name: str) -> None:
        self._call("POST", f"/connectors/{name}/restart", params={"includeTasks": "true", "onlyFailed": "true"})

    def delete(self, name: str) -> None:
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


def _refusal(answer: httpx.Response) -> BoathouseError:
    try:
        message = str(answer.json()["message"])
    except (ValueError, KeyError, TypeError):
        message = f"status {answer.status_code}"
    # It is busy with its own affairs for a moment after each change.
    kind = Unavailable if answer.status_code >= 500 or answer.status_code == HTTPStatus.CONFLICT else InvalidInput
    return kind(f"Kafka Connect refused: {message}")
