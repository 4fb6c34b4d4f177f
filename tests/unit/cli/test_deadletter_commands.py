"""What `boathouse deadletter` says where there are more rejected rows than are looked through."""

from datetime import UTC, datetime
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from boathouse.cli import deadletter
from boathouse.kit.deadletters.book import INDEX, Book
from boathouse.kit.deadletters.texts import Text

ROW = {"id": "a", "load_id": "load", "file": "kafka://t/0", "line": 1, "reason": "is odd", "row": 0}
MORE = "only the newest were looked through"


def desk(*, complete: bool, all_open: bool) -> Any:
    rows = pa.Table.from_pylist([{**ROW, "rejected_at": datetime(2026, 1, 1, tzinfo=UTC)}], schema=INDEX)
    book = Book(rows, {}, complete=complete, all_open=all_open)
    texts = {"a": Text("text", None)}
    found = Mock(book=Mock(return_value=book), texts=Mock(return_value=texts), decide=Mock(return_value=1))
    return Mock(return_value=found)


@pytest.mark.parametrize("command", [["list"], ["list", "--by-reason"], ["discard", "--all"]])
@pytest.mark.parametrize(
    ("complete", "all_open", "more"), [(True, True, False), (False, True, False), (False, False, True)]
)
def test_it_says_if_there_may_be_more_open_ones(
    monkeypatch: pytest.MonkeyPatch, command: list[str], *, complete: bool, all_open: bool, more: bool
) -> None:
    monkeypatch.setattr(deadletter, "_desk", desk(complete=complete, all_open=all_open))
    done = CliRunner().invoke(deadletter.app, [command[0], "log.events", *command[1:]], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert (MORE in done.stderr) is more
    assert MORE not in done.stdout


def test_of_settled_ones_it_says_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadletter, "_desk", desk(complete=False, all_open=True))
    done = CliRunner().invoke(deadletter.app, ["list", "log.events", "--state", "replayed"], env={"COLUMNS": "200"})
    assert MORE in done.stderr


def test_those_that_are_named_are_all_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadletter, "_desk", desk(complete=False, all_open=False))
    done = CliRunner().invoke(deadletter.app, ["discard", "log.events", "a"], env={"COLUMNS": "200"})
    assert (done.exit_code, done.stderr) == (0, "")


def test_what_was_done_is_said_with_the_table_it_was_done_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadletter, "_desk", desk(complete=True, all_open=True))
    done = CliRunner().invoke(deadletter.app, ["discard", "log.events", "a"])
    assert done.stdout == "1 row of log.events is discarded.\n"
    done = CliRunner().invoke(deadletter.app, ["reopen", "my events.yaml", "a"])
    assert done.stdout == "1 row of my events.yaml is open again.\n"


def test_of_a_spec_it_is_said_whole_how_a_mended_row_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadletter, "_desk", desk(complete=True, all_open=True))
    for table, named in (("log.events", "SPEC"), ("my events.yaml", "'my events.yaml'")):
        done = CliRunner().invoke(deadletter.app, ["edit", table, "a", "--text", "mended"])
        assert f"`boathouse deadletter replay {named} a`" in done.stdout
