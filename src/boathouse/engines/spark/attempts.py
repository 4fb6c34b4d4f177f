"""Sessions of attempts at a run: each has an id that whoever comes next knows, so that two are never at work at once."""

from collections.abc import Generator
from contextlib import contextmanager
from uuid import UUID, uuid5

import orjson
from pyspark.errors import PySparkException
from pyspark.sql.connect.client import SparkConnectClient
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.connect import FEW_TRIES, channel, is_absent, open_session, session_url
from boathouse.kit.access import SparkAccess
from boathouse.kit.run_properties import SESSION_OF_RUN, session_settings

# Else `text.`/path`` would read to anybody who may ask in SQL what the server's user can. A fence and no wall: there are other
# ways to files in SQL, so that who may ask is who may read what the server can.
_NO_FILES_AS_TABLES = {"spark.sql.runSQLOnFiles": "false"}
_ATTEMPTS = UUID("6d0f5a54-2f0e-4d0a-9d53-6f0b1d1f3c11")


@contextmanager
def attempt_session(access: SparkAccess, run_id: str, number: int, job: str = "") -> Generator[SparkSession]:
    """A session for one attempt. What those before it may have left running is ended first."""
    settings = {**session_settings(run_id, job), **_NO_FILES_AS_TABLES}
    with open_session(access, session_id(run_id, number), settings) as session:
        _end_earlier(access, run_id, number)
        yield session


@contextmanager
def program_session(access: SparkAccess, run_id: str, number: int, job: str) -> Generator[dict[str, str]]:
    """The variables by which a program of somebody's gets the attempt's session, if it asks for one; ended with it.

    They hold the token. A program that wants no Spark needs none, and leaves nothing on the server.
    """
    with _ended_with_it(access, run_id, number):
        yield {
            "SPARK_REMOTE": session_url(access, session_id(run_id, number)),
            # How Spark's own launcher hands a program the settings of its session.
            "PYSPARK_REMOTE_INIT_CONF_LEN": "1",
            "PYSPARK_REMOTE_INIT_CONF_0": orjson.dumps(session_settings(run_id, job)).decode(),
        }


@contextmanager
def command_session(access: SparkAccess, run_id: str, number: int) -> Generator[dict[str, str]]:
    """The variables by which a command of ours takes the attempt's session; ended with it."""
    with _ended_with_it(access, run_id, number):
        yield {SESSION_OF_RUN: session_id(run_id, number)}


@contextmanager
def _ended_with_it(access: SparkAccess, run_id: str, number: int) -> Generator[None]:
    """For work in a process of its own, which may be killed without a word to Spark."""
    _end_earlier(access, run_id, number)
    try:
        yield
    finally:
        end_attempt(access, run_id, number)


def _end_earlier(access: SparkAccess, run_id: str, number: int) -> None:
    """All of them: the one before may have been lost before it could end what those before itself left."""
    for earlier in range(1, number):
        end_attempt(access, run_id, earlier)


def end_attempt(access: SparkAccess, run_id: str, number: int) -> None:
    """End whatever of an attempt is still at work on the server. One that is not there has nothing at work."""
    if not is_absent(access):
        _end(access, run_id, number)


def _end(access: SparkAccess, run_id: str, number: int) -> None:
    """Releasing a session interrupts what it runs, and keeps a client that is late from going on with it."""
    client = SparkConnectClient(channel(access, session_id(run_id, number)))
    try:
        client.set_retry_policies([FEW_TRIES])
        client.release_session()
    except PySparkException:
        # It was never there, or has ended as it should.
        pass
    finally:
        client.close()


def session_id(run_id: str, number: int) -> str:
    return str(uuid5(_ATTEMPTS, f"{run_id}/{number}"))
