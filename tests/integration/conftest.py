"""What tests share: a session on the started lakehouse, a Trino beside it, and a namespace for each test."""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.connect import open_session
from tests.lakehouse_under_test import LakehouseUnderTest
from tests.loading import Loading
from tests.trino.server import TrinoServer


@pytest.fixture(scope="session")
def session(stack: LakehouseUnderTest) -> Iterator[SparkSession]:
    with open_session(stack.access.spark) as opened:
        yield opened


@pytest.fixture(scope="session")
def trino(stack: LakehouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TrinoServer]:
    """A real one, started once, whose catalog `lake` is the lakehouse's. Do not break it."""
    with TrinoServer(tmp_path_factory.mktemp("trino"), stack.access) as server:
        yield server


@pytest.fixture
def loading(
    stack: LakehouseUnderTest, session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest
) -> Loading:
    name = re.sub(r"\W+", "_", request.node.name.lower()).strip("_")
    # A long name is cut, and its checksum tells it from others that begin alike.
    namespace = f"t_{name[:48]}_{zlib.crc32(request.node.name.encode()):08x}"
    return Loading(tmp_path, namespace, session, stack.access)
