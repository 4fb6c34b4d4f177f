"""A text in somebody's editor."""

import pytest

from boathouse.cli.editor import edited

LINE_ENDS = ["a\r\nb", "a\rb", "a\nb", "a\r\n", "a\n", "a\r", ""]


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)


@pytest.mark.parametrize("text", LINE_ENDS)
def test_what_is_closed_as_it_was_is_unchanged(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("EDITOR", "true")
    assert edited(text) is None


@pytest.mark.parametrize("text", LINE_ENDS)
def test_what_is_changed_keeps_its_other_line_ends(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("EDITOR", "sed -i.before 1s/^/x/")
    assert edited(text) == f"x{text}"
