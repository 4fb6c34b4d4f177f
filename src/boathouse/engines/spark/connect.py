"""A session on the Spark Connect server, for the command line and for pipelines."""

import os
import socket
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from urllib.parse import quote, urlsplit

from pyspark.logger import PySparkLogger
from pyspark.sql.connect.client import DefaultChannelBuilder
from pyspark.sql.connect.client.reattach import ExecutePlanResponseReattachableIterator
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.errors import SPARK_AWAY, UNAVAILABLE_HINT, translated
from boathouse.kit.access import SparkAccess
from boathouse.kit.errors import Unavailable

_DEFAULT_PORT = 15002
# Seconds until somebody takes the call: on this machine none, from afar one or two.
_PATIENCE = 10
# A server of this machine answers at once or is not there: five tries take two seconds, not ten minutes.
FEW_TRIES = DefaultPolicy(max_retries=5, initial_backoff=100, max_backoff=800)

# pyspark tells these loggers of every failed statement, with its Java stack, though it raises the error as well.
_CHATTY = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


@contextmanager
def open_session(
    access: SparkAccess, session_id: str | None = None, settings: Mapping[str, str] | None = None
) -> Generator[SparkSession]:
    """A session that is released on the server when the block ends. Errors inside are translated."""
    _quieten()
    _refuse_absent(access)
    # With it `pyspark.sql.functions` builds expressions for this kind of session.
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    with translated():
        builder = SparkSession.builder.channelBuilder(channel(access, session_id))
        for name, value in (settings or {}).items():
            builder = builder.config(name, value)
        session = builder.create()
        try:
            session.client.set_retry_policies([FEW_TRIES])
            yield session
        finally:
            # Finished statements are released in the background, which must not reach a session that is gone.
            ExecutePlanResponseReattachableIterator.shutdown()
            session.stop()


def _refuse_absent(access: SparkAccess) -> None:
    """Say at once that nobody listens; gRPC and Spark's client would try for twenty seconds between them."""
    try:
        _call(access)
    except OSError as error:
        raise Unavailable(
            f"{SPARK_AWAY}{error.strerror or error} at {access.remote}.", hint=UNAVAILABLE_HINT
        ) from error


def is_absent(access: SparkAccess) -> bool:
    """Whether surely nobody listens. One that cannot be reached may well be at work."""
    try:
        _call(access)
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def _call(access: SparkAccess) -> None:
    address = urlsplit(access.remote)
    socket.create_connection((address.hostname or "", address.port or _DEFAULT_PORT), timeout=_PATIENCE).close()


def session_url(access: SparkAccess, session_id: str | None = None) -> str:
    """With the token in it: for a variable of a process, never for a command line or a log."""
    url = f"{access.remote}/;token={quote(access.token.get_secret_value(), safe='')}"
    return url if session_id is None else f"{url};session_id={session_id}"


def channel(access: SparkAccess, session_id: str | None = None) -> DefaultChannelBuilder:
    # The server is on loopback, which a proxy named by the environment cannot reach.
    return DefaultChannelBuilder(session_url(access, session_id), [("grpc.enable_http_proxy", 0)])


def _quieten() -> None:
    for name in _CHATTY:
        PySparkLogger.getLogger(name).disabled = True
    # Said of a call that failed in the end; the error that is raised says it too.
    warnings.filterwarnings("ignore", message=r"\[RETRIES_EXCEEDED\]", category=UserWarning)
