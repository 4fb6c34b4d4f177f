"""One started lakehouse for all the tests that need one, and empty ones for those that break theirs."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# What tests share is imported as `tests.…`, from wherever pytest was started.
sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.etcd_cluster import EtcdCluster
from tests.lakehouse_under_test import LakehouseUnderTest

# Started in the background, a shell has us ignore Ctrl-C, and so would every process that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long one example takes says how busy the machine is, not whether the code is right.
settings.register_profile("without-deadline", deadline=None)
settings.load_profile("without-deadline")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LakehouseUnderTest]:
    """The core of the lakehouse, started once. Do not break it: a test that does takes `own_lakehouse`."""
    kept = os.environ.get("TEST_LAKEHOUSE")
    lakehouse = LakehouseUnderTest(Path(kept) if kept else tmp_path_factory.mktemp("lakehouse"))
    try:
        started = lakehouse.cli("up")
        assert started.returncode == 0, started.stderr
        yield lakehouse
    finally:
        if not kept:
            lakehouse.stop()


@pytest.fixture
def own_lakehouse(tmp_path: Path) -> Iterator[LakehouseUnderTest]:
    """A lakehouse that is not started yet, and is stopped in the end whatever the test did to it."""
    # The name tries every place where a path has to be quoted.
    lakehouse = LakehouseUnderTest(tmp_path / "a lake's house")
    try:
        yield lakehouse
    finally:
        lakehouse.stop()


@pytest.fixture(scope="session")
def etcd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EtcdCluster]:
    """One member, started once: each test takes a root of its own. Do not break it."""
    with EtcdCluster(tmp_path_factory.mktemp("etcd")) as cluster:
        yield cluster
