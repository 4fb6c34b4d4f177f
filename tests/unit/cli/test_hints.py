"""What a server hints at, as a command."""

import pytest

from boathouse.cli.errors import report
from boathouse.cli.hints import in_commands
from boathouse.kit.errors import NotFound


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("What it takes is at /api/v1/job-kinds.", "`boathouse job kinds` lists what each kind takes."),
        ("What it takes is at /api/v1/connection-kinds.", "`boathouse connection kinds` lists what each kind takes."),
        ("The API's description is at /api/v1/openapi.json.", "Add --help to the command to see what it takes."),
        ("The users are at /api/v1/users.", "`boathouse user list` lists them."),
        ("Yours are at /api/v1/tokens.", "`boathouse token list` lists yours."),
        (
            "Log in at /api/v1/login, or send a token as `Authorization: Bearer …`.",
            "`boathouse login URL` logs in, or send a token as `Authorization: Bearer …`.",
        ),
        ("Its jobs are listed there.", "`boathouse job list` lists them."),
        ("Its members are listed beside it.", "`boathouse workspace members` lists them."),
        (
            "Its datasets are listed there; a sync adds those that a catalog has.",
            "`boathouse dataset list` lists them; a sync adds those that a catalog has.",
        ),
    ],
)
def test_where_the_api_has_it_becomes_the_command_that_shows_it(hint: str, said: str) -> None:
    assert in_commands(hint) == said


@pytest.mark.parametrize(
    "hint",
    [
        "Use a token for one workspace, or send it to /api/v1/workspaces/NAME/lineage.",
        "Give the whole address, such as https://lineage.example.org/api/v1/lineage.",
        "Choose another name.",
        "Its sails are listed there.",
    ],
)
def test_what_no_command_shows_stays(hint: str) -> None:
    assert in_commands(hint) == hint


def test_an_error_is_reported_with_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    report(NotFound("There is no workspace 'north'.", hint="Your workspaces are at /api/v1/workspaces."))
    shown = capsys.readouterr().err
    assert "Hint: `boathouse workspace list` lists yours, and `boathouse workspace use NAME` takes one" in shown
    assert "/api/" not in shown
