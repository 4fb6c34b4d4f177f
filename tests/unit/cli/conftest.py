"""The command line on a machine of its own, and a server that answers it as a test says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer, small_server


@pytest.fixture
def server() -> Iterator[SmallServer]:
    with small_server() as server:
        yield server


@pytest.fixture
def machine(server: SmallServer, tmp_path: Path) -> Machine:
    """One whose commands go to the server, in the workspace `north`."""
    variables = {
        "BOATHOUSE_CONTROL_URL": server.url,
        "BOATHOUSE_CONTROL_TOKEN": "bh_secret",
        "BOATHOUSE_WORKSPACE": "north",
    }
    return Machine(tmp_path, variables)
