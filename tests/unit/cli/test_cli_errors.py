"""Which exit code an error has, and what is shown of it."""

import pytest

from boathouse.cli.errors import exit_code, report
from boathouse.kit.errors import (
    BoathouseError,
    Cancelled,
    ConfigurationError,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
    WorkFailed,
)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (BoathouseError, 1),
        (WorkFailed, 1),
        (InvalidInput, 3),
        (ConfigurationError, 3),
        (NotFound, 4),
        (Unavailable, 5),
        (Conflict, 6),
        (Unauthenticated, 7),
        (Forbidden, 7),
        (Cancelled, 130),
    ],
)
def test_every_kind_of_error_has_its_code(kind: type[BoathouseError], code: int) -> None:
    assert exit_code(kind("no")) == code


def test_a_kind_made_elsewhere_has_the_code_of_the_one_it_derives_from() -> None:
    class NoSuchRun(NotFound):
        pass

    assert exit_code(NoSuchRun("no")) == 4


def test_message_and_hint_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(NotFound("There is no table [a.b].", hint="Make one.")) == 4
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "Error: There is no table [a.b].\nHint: Make one.\n"


def test_a_long_message_is_not_broken_so_that_carets_stay_in_place(capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 300
    report(InvalidInput(f"No.\n\n{long}\n{' ' * 299}^"))
    assert f"{long}\n{' ' * 299}^\n" in capsys.readouterr().err


def test_an_unexpected_error_is_one_line_and_how_to_see_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(KeyError("lost")) == 1
    assert capsys.readouterr().err.splitlines() == [
        "Error: KeyError: 'lost'",
        "Hint: This is a bug in Boathouse. Run again with --debug to see where.",
    ]
