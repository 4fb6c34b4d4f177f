"""What the tests of pipelines share: a session on the started lakehouse, and a namespace for each test."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.connect import open_session
from tests.lakehouse_under_test import LakehouseUnderTest
from tests.loading import Loading


@pytest.fixture(scope="session")
def session(stack: LakehouseUnderTest) -> Iterator[SparkSession]:
    with open_session(stack.access.spark) as opened:
        yield opened


@pytest.fixture
def loading(
    stack: LakehouseUnderTest, session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest
) -> Loading:
    name = re.sub(r"\W+", "_", request.node.name.lower()).strip("_")
    return Loading(tmp_path, f"t_{name}"[:60], session, stack.access)
