"""Whoever takes a run up ends the sessions of all attempts before it, on a server that tells which it was to release."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import grpc
import pytest
from pydantic import SecretStr
from pyspark.sql.connect.proto import base_pb2, base_pb2_grpc

from boathouse.engines.spark.attempts import attempt_session, command_session, program_session, session_id
from boathouse.kit.access import SparkAccess

RUN = "a run"


class Releases(base_pb2_grpc.SparkConnectServiceServicer):
    """Spark Connect as far as sessions take it that do nothing: their settings, and their release."""

    def __init__(self) -> None:
        self.released: list[str] = []

    def Config(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802 - as Spark calls it
        return base_pb2.ConfigResponse(session_id=request.session_id)

    def ReleaseSession(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802 - as Spark calls it
        self.released.append(request.session_id)
        return base_pb2.ReleaseSessionResponse(session_id=request.session_id)


@pytest.fixture
def spark() -> Generator[tuple[Releases, SparkAccess]]:
    releases = Releases()
    with ThreadPoolExecutor(1) as pool:
        server = grpc.server(pool)
        base_pb2_grpc.add_SparkConnectServiceServicer_to_server(releases, server)
        port = server.add_insecure_port("localhost:0")
        server.start()
        yield releases, SparkAccess(remote=f"sc://localhost:{port}", token=SecretStr("hush"), catalog="lake")
        server.stop(None).wait()


@pytest.mark.parametrize(
    "opened",
    [attempt_session, command_session, partial(program_session, job="daily")],
    ids=["sql", "command", "program"],
)
@pytest.mark.parametrize("number", [1, 2, 4])
def test_an_attempt_ends_all_before_it_and_then_itself(
    spark: tuple[Releases, SparkAccess],
    opened: Callable[[SparkAccess, str, int], AbstractContextManager[Any]],
    number: int,
) -> None:
    releases, access = spark
    with opened(access, RUN, number):
        assert releases.released == [session_id(RUN, earlier) for earlier in range(1, number)]
    assert releases.released[number - 1 :] == [session_id(RUN, number)]
