"""Sessions of attempts at a run: each has an id that whoever comes next knows, so that two are never at work at once."""

from collections.abc import Generator
from contextlib import contextmanager
from uuid import UUID, uuid5

from pyspark.errors import PySparkException
from pyspark.sql.connect.client import SparkConnectClient
from pyspark.sql.connect.proto import ConfigRequest, KeyValue
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.connect import channel, open_session, session_url
from boathouse.engines.spark.errors import translated
from boathouse.kit.access import SparkAccess
from boathouse.kit.run_properties import session_settings

_ATTEMPTS = UUID("6d0f5a54-2f0e-4d0a-9d53-6f0b1d1f3c11")


@contextmanager
def attempt_session(access: SparkAccess, run_id: str, number: int, job: str = "") -> Generator[SparkSession]:
    """A session for one attempt. What the one before it may have left running is ended first."""
    with open_session(access, _session_id(run_id, number), session_settings(run_id, job)) as session:
        if number > 1:
            _end(access, run_id, number - 1)
        yield session


def attempt_url(access: SparkAccess, run_id: str, number: int) -> str:
    """For a program of somebody's, as the variable SPARK_REMOTE. It holds the token."""
    return session_url(access, _session_id(run_id, number))


def prepare_attempt(access: SparkAccess, run_id: str, number: int, job: str) -> None:
    """Before a program has the attempt's session: what is set in it on the server is there for the program too."""
    client = SparkConnectClient(channel(access, _session_id(run_id, number)))
    try:
        with translated():
            pairs = [KeyValue(key=key, value=value) for key, value in session_settings(run_id, job).items()]
            client.config(ConfigRequest.Operation(set=ConfigRequest.Set(pairs=pairs)))
    finally:
        # Not released, for then it could not be used any more.
        client.close()


def end_attempt(access: SparkAccess, run_id: str, number: int) -> None:
    """End whatever of an attempt is still at work on the server."""
    with open_session(access):
        _end(access, run_id, number)


def _end(access: SparkAccess, run_id: str, number: int) -> None:
    """Releasing a session interrupts what it runs, and keeps a client that is late from going on with it."""
    client = SparkConnectClient(channel(access, _session_id(run_id, number)))
    try:
        client.release_session()
    except PySparkException:
        # It was never there, or has ended as it should.
        pass
    finally:
        client.close()


def _session_id(run_id: str, number: int) -> str:
    return str(uuid5(_ATTEMPTS, f"{run_id}/{number}"))
