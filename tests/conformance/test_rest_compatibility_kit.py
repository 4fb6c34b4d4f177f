"""Java's client and Iceberg's own tests of catalogs, against ours."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.compatibility_kit import run_kit, warehouse_of_the_kit
from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import TOKEN, CatalogProcess

# The kit has no words for a catalog with nested namespaces, for names with slashes, nor for an empty namespace.
KIT_SKIPS = 10
TESTS = 157


@pytest.fixture(params=["sqlite", "etcd"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store of each form."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/state.db"
    etcd: EtcdCluster = request.getfixturevalue("etcd")
    return etcd.address("compatibility-kit")


@pytest.fixture
def catalog(store: str, tmp_path: Path) -> Iterator[CatalogProcess]:
    with warehouse_of_the_kit() as root, CatalogProcess(tmp_path, root=root, store=store) as catalog:
        yield catalog


def test_the_catalog_passes_icebergs_compatibility_kit(catalog: CatalogProcess, tmp_path: Path) -> None:
    properties = {"uri": catalog.uri, "warehouse": "lake", "token": TOKEN}
    verdicts = run_kit(properties, tmp_path / "reports")
    failed = [verdict for verdict in verdicts if verdict.outcome == "failed"]
    assert not failed, "\n".join(map(str, failed))
    skipped = [verdict.name for verdict in verdicts if verdict.outcome == "skipped"]
    assert (len(verdicts), len(skipped)) == (TESTS, KIT_SKIPS), f"other tests were skipped: {skipped}"
