"""The prompt: when it runs what is typed, and what it offers to complete."""

from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from boathouse.cli.sql_prompt import WordsBegun, ask, is_finished, prompt_session


@pytest.mark.parametrize(
    "text", ["", "  ", "\\d", "\\d sales.orders", "select 1;", "select ';';", "quit", "Exit ;", "help"]
)
def test_enter_runs_what_is_finished(text: str) -> None:
    assert is_finished(text)


@pytest.mark.parametrize("text", ["select 1", "select ';", "select 1; select 2", "select /* ;"])
def test_enter_opens_another_line_for_what_is_not(text: str) -> None:
    assert not is_finished(text)


def entered(keys: str, history: Path) -> list[str]:
    """What the prompt hands on for these keys, until it is left."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        typed.send_text(keys)
        session = prompt_session(history, list)
        return list(iter(lambda: ask(session, "lake> "), None))


def test_a_statement_may_take_several_lines(tmp_path: Path) -> None:
    assert entered("select 1,\r2;\r\x04", tmp_path / "history") == ["select 1,\n2;"]


def test_control_c_drops_what_is_typed_and_control_d_leaves(tmp_path: Path) -> None:
    assert entered("selec\x03select 2;\r\x04", tmp_path / "history") == ["select 2;"]


@pytest.mark.parametrize("word", ["\\q", "\\q;", "quit", "EXIT", "exit;"])
def test_it_is_left_by_any_of_the_usual_words(tmp_path: Path, word: str) -> None:
    assert entered(f"select 1;\r{word}\rselect 2;\r", tmp_path / "history") == ["select 1;"]


def test_help_helps(tmp_path: Path) -> None:
    assert entered("help\r\x04", tmp_path / "history") == ["\\?"]


def test_history_is_kept_and_only_for_its_owner(tmp_path: Path) -> None:
    history = tmp_path / "history"
    entered("select 1;\r\x04", history)
    assert "select 1;" in history.read_text()
    assert history.stat().st_mode & 0o777 == 0o600
    # The key up brings back the last statement, in a new prompt too.
    assert entered("\x1b[A\r\x04", history) == ["select 1;"]


def completions(text: str, *, asked: bool = False) -> list[str]:
    words = WordsBegun(lambda: ["sales.orders", "sales.items"])
    found = words.get_completions(Document(text), CompleteEvent(completion_requested=asked))
    return [completion.text for completion in found]


def test_keywords_are_completed_in_either_case() -> None:
    assert "SELECT" in completions("sel")


def test_tables_are_completed_by_their_full_name() -> None:
    assert completions("select * from sales.o") == ["sales.orders"]


@pytest.mark.parametrize("text", ["", "   ", "select 1,\n", "select "])
def test_nothing_pops_up_before_a_word_is_begun(text: str) -> None:
    assert completions(text) == []


def test_the_tab_key_shows_every_word_but_not_on_an_empty_line() -> None:
    assert "sales.orders" in completions("select * from ", asked=True)
    assert completions("", asked=True) == []
