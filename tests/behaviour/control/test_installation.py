"""What the server says of itself, and to whom."""

from pathlib import Path

import pytest

from boathouse.control.connections.references import SecretPlaces
from boathouse.control.database import Database
from boathouse.control.identities.settings import OidcSettings
from boathouse.control.options import ApiOptions
from tests.behaviour.control.control_plane import ControlPlane

SECRET = "nobody is told this"
OIDC = OidcSettings.model_validate(
    {
        "issuer": "https://login.example.org",
        "client_id": "boathouse",
        "client_secret": {"env": "CLIENT_SECRET"},
        "public_url": "https://boathouse.example.org",
        "workspaces": {"north": {"data": "viewer"}},
    }
)


async def test_platform_admins_are_told_what_it_runs_with_and_no_secret(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLIENT_SECRET", SECRET)
    async with ControlPlane(database, SecretPlaces(tmp_path, {}), ApiOptions(oidc=OIDC)) as control:
        told = await control.admin.get("/installation")
        assert told["database"]["kind"] == database.dialect
        assert told["database"]["revision"]
        assert (told["oidc"]["issuer"], told["oidc"]["workspaces"]) == (OIDC.issuer, {"north": {"data": "viewer"}})
        assert told["secrets_directory"] == str(tmp_path)
        url = database.engine.url
        login = f"{url.username}@" if url.username else "@"
        assert SECRET not in str(told)
        assert login not in told["database"]["place"]
        await control.workspace("north")
        ann = await control.user("ann", north="admin")
        await ann.get("/installation", status=403)
        assert await ann.get("/workspaces/north/groups") == {"decide": True, "roles": {"data": "viewer"}}
