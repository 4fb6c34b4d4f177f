"""The demo of streams keeps its hands off what is not its own."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from boathouse.cli.demo_stream import _invite, demo_stream
from boathouse.client.client import ControlClient
from boathouse.kit.errors import InvalidInput
from tests.unit.client.small_server import SmallServer


def test_its_link_leads_to_the_page_that_it_names(server: SmallServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.tells({"path": "/login/once#bh_code/w/demo/pipelines/meters", "expires_at": "2026-01-02T03:04:05Z"})
    with ControlClient(server.url, SecretStr("t")) as control:
        _invite(control, "/w/demo/pipelines/meters")
    assert server.asked[0].body == {"seconds": 600, "next": "/w/demo/pipelines/meters"}
    assert f"{server.url}/login/once#bh_code/w/demo/pipelines/meters" in capsys.readouterr().out


def test_it_changes_nothing_in_a_postgres_that_it_has_not_brought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOATHOUSE_POSTGRES__HOST", "db.example.org")
    with pytest.raises(InvalidInput, match=r"postgres\.host is db\.example\.org, and the demo makes tables") as refused:
        demo_stream(once=True, seconds=1, rate=1)
    assert "in a home of its own" in (refused.value.hint or "")
    assert not (tmp_path / "home").exists()
