"""A client, and a small server that tells it what a test wants."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from boathouse.client.client import ControlClient
from tests.unit.client.small_server import SmallServer, small_server


@pytest.fixture
def server() -> Iterator[SmallServer]:
    with small_server() as server:
        yield server


@pytest.fixture
def client(server: SmallServer) -> Iterator[ControlClient]:
    with ControlClient(server.url, SecretStr("bh_secret")) as client:
        yield client
