"""Asking Kafka for its brokers, by the client that waits in a thread."""

import time
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from boathouse.control.connections.steps import SECONDS
from boathouse.kit.errors import BoathouseError, Forbidden, Unavailable

# Before the step's own limit, so that it is the client that says what is wrong.
_PATIENCE = SECONDS - 5
_REFUSED = {KafkaError._AUTHENTICATION, KafkaError.SASL_AUTHENTICATION_FAILED}  # noqa: SLF001 - their public names
_ENCRYPTION = {KafkaError._SSL}  # noqa: SLF001


@dataclass(frozen=True)
class Brokers:
    brokers: list[str]
    topics: set[str]


def brokers_told(options: dict[str, Any]) -> Brokers:
    errors: list[KafkaError] = []
    quiet = {"error_cb": errors.append, "log_level": 0, "socket.timeout.ms": 5000}
    try:
        client = AdminClient({**options, **quiet})  # pyright: ignore[reportArgumentType] - callbacks are taken too
    except (KafkaException, ValueError) as error:
        raise Unavailable(f"The client cannot be set up: {_reason(error)}.", hint="Check the configuration.") from error
    ends = time.monotonic() + _PATIENCE
    while True:
        try:
            found = client.list_topics(timeout=1)
        except KafkaException as error:
            client.poll(0)
            # The client tries again and again; a refused login or a bad certificate will not get better.
            telling = _telling(errors)
            if telling is not None or time.monotonic() > ends:
                raise _refusal(telling or _last(errors) or error.args[0]) from error
        else:
            return Brokers([f"{one.host}:{one.port}" for one in found.brokers.values()], set(found.topics))


def _telling(errors: list[KafkaError]) -> KafkaError | None:
    return next((error for error in errors if error.code() in _REFUSED | _ENCRYPTION), None)


def _last(errors: list[KafkaError]) -> KafkaError | None:
    """That all brokers are down follows what happened to each, and says less."""
    said = [error for error in errors if error.code() != KafkaError._ALL_BROKERS_DOWN]  # noqa: SLF001
    return said[-1] if said else None


def _refusal(error: KafkaError) -> BoathouseError:
    if error.code() in _REFUSED:
        return Forbidden(
            f"The login is refused: {_reason(error)}.", hint="Check security, mechanism, user and password."
        )
    if error.code() in _ENCRYPTION:
        return Unavailable(f"The encryption fails: {_reason(error)}.", hint="Check security, and authority.")
    return Unavailable(f"Kafka does not answer: {_reason(error)}.", hint="Does security match the listener's?")


def _reason(error: KafkaError | Exception) -> str:
    cause = error.args[0] if isinstance(error, KafkaException) else error
    text = cause.str() if isinstance(cause, KafkaError) else str(cause)
    return text.partition("\n")[0][:300].rstrip(".")
