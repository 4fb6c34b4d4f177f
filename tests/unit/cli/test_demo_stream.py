"""The demo of streams keeps its hands off what is not its own."""

from pathlib import Path

import pytest

from boathouse.cli.demo_stream import demo_stream
from boathouse.kit.errors import InvalidInput


def test_it_changes_nothing_in_a_postgres_that_it_has_not_brought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOATHOUSE_POSTGRES__HOST", "db.example.org")
    with pytest.raises(InvalidInput, match=r"postgres\.host is db\.example\.org, and the demo makes tables") as refused:
        demo_stream(once=True, seconds=1, rate=1)
    assert "in a home of its own" in (refused.value.hint or "")
    assert not (tmp_path / "home").exists()
