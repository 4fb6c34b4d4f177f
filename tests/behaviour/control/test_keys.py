"""The installation's keys: changed, dropped when no longer needed, and never replaced while something is sealed."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from boathouse.control.connections import repository
from boathouse.control.connections.keys import drop_old, keyring_of, replace_lost, rotate
from boathouse.control.connections.models import Connection
from boathouse.control.vault import Keyring, Vault
from boathouse.kit.errors import ConfigurationError
from tests.behaviour.control.control_plane import ControlPlane

SECRET = "the-oars-are-under-the-boat"
CONNECTION = {
    "name": "meters",
    "kind": "postgres",
    "config": {"host": "127.0.0.1", "database": "meters", "user": "reader"},
    "secrets": {"password": SECRET},
}


@pytest.fixture
async def keys(control: ControlPlane, tmp_path: Path) -> Path:
    """Of a server with one sealed secret."""
    await control.workspace("north")
    await control.admin.post("/workspaces/north/connections", CONNECTION)
    control.keyring.saved(tmp_path / "keys.json")
    return tmp_path / "keys.json"


async def opened(control: ControlPlane, keyring: Keyring) -> str:
    async with control.database.reading() as session:
        (connection,) = await repository.every(session)
    return Vault(keyring).open(connection.secrets["password"], connection.belongs_to("password"))


async def test_old_keys_are_dropped_once_nothing_needs_them(control: ControlPlane, keys: Path) -> None:
    assert await rotate(control.database, keys) == 1
    assert set(Keyring.read(keys).keys) == {"1", "2"}
    # A server that was not started again seals with the old one.
    await control.admin.ask("PATCH", "/workspaces/north/connections/meters", {"secrets": {"password": SECRET}})
    assert await drop_old(control.database, keys) == 1
    assert set(Keyring.read(keys).keys) == {"2"}
    assert await opened(control, Keyring.read(keys)) == SECRET
    noted = (await control.admin.get("/audit", params={"action": "keys"}))["items"]
    assert [(one["action"], one["details"]) for one in noted] == [
        ("keys.drop-old", {"dropped": ["1"]}),
        ("keys.rotate", {"secrets": 1}),
    ]


async def test_a_file_that_is_lost_is_not_replaced_while_something_is_sealed(control: ControlPlane, keys: Path) -> None:
    lost = keys.with_name("lost.json")
    for use in (keyring_of, rotate, drop_old):
        with pytest.raises(ConfigurationError, match="1 secret is sealed") as refused:
            await use(control.database, lost)
        assert "--lost" in (refused.value.hint or "")
        assert not Keyring.is_at(lost)
    assert await replace_lost(control.database, lost) == 1
    with pytest.raises(ConfigurationError, match="not lost"):
        await replace_lost(control.database, lost)
    (noted,) = (await control.admin.get("/audit", params={"action": "keys.replace-lost"}))["items"]
    assert [one.endswith(" meters password") for one in noted["details"]["given_up"]] == [True]
    # What nobody can open stands in nobody's way.
    assert (await control.admin.get("/workspaces/north/connections/meters"))["secrets"] == {}
    assert await rotate(control.database, lost) == 0
    assert await drop_old(control.database, lost) == 0


async def test_a_secret_that_does_not_open_is_told_by_its_connection(control: ControlPlane, keys: Path) -> None:
    Keyring("1", {"1": b"x" * 32}).saved(keys)
    with pytest.raises(ConfigurationError, match=r"The connection meters .* does not open"):
        await rotate(control.database, keys)


async def test_a_key_that_something_is_sealed_with_is_not_dropped(
    control: ControlPlane, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a server seals a secret while the keys are being dropped."""
    await rotate(control.database, keys)

    def too_early(_connections: Iterable[Connection], _vault: Vault) -> int:
        return 0

    monkeypatch.setattr("boathouse.control.connections.keys.rewrap_all", too_early)
    await control.admin.ask("PATCH", "/workspaces/north/connections/meters", {"secrets": {"password": SECRET}})
    await drop_old(control.database, keys)
    assert await opened(control, Keyring.read(keys)) == SECRET


async def test_where_nothing_is_sealed_the_first_start_makes_it(control: ControlPlane, tmp_path: Path) -> None:
    made = await keyring_of(control.database, tmp_path / "new" / "keys.json")
    assert Keyring.read(tmp_path / "new" / "keys.json") == made
