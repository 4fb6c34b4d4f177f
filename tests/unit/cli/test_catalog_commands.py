"""Commands on a catalog's store, without a server."""

from pathlib import Path

import pytest

from tests.integration.control_commands import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """One that has a store with the principal `etl`."""
    machine = Machine(tmp_path, {"BOATHOUSE_CATALOG_STORE": f"sqlite:///{tmp_path}/catalog.db"})
    machine.run("catalog", "principal", "create", "etl")
    return machine


def test_a_principal_is_deleted_only_if_that_is_meant(machine: Machine) -> None:
    assert "--yes" in machine.run("catalog", "principal", "delete", "etl", code=3).stderr
    assert [one["name"] for one in machine.told("catalog", "principal", "list")] == ["etl"]
    machine.run("catalog", "principal", "delete", "etl", "--yes")
    assert machine.told("catalog", "principal", "list") == []
