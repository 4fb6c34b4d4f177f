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


def test_taking_a_grant_back_is_said(machine: Machine) -> None:
    grant = ("etl", "read", "--warehouse", "lake", "--namespace", "sales")
    machine.run("catalog", "grant", *grant)
    assert "etl no longer holds read on lake" in machine.run("catalog", "revoke", *grant).stderr
    assert "nothing changed" in machine.run("catalog", "revoke", *grant).stderr


def test_a_sweep_says_what_it_looked_at(machine: Machine, tmp_path: Path) -> None:
    warehouse = f"lake=file://{tmp_path}/warehouse"
    done = machine.run("catalog", "sweep", "--warehouse", warehouse)
    assert warehouse in done.stdout
    assert "no table or view in this warehouse" in done.stderr
