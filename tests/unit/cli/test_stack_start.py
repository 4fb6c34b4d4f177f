"""What a start says while one waits for it."""

from io import StringIO
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from rich.console import Console

from boathouse.cli.stack_start import StartView, waited_for
from boathouse.stack.home import Home
from boathouse.stack.status import ServiceStatus, StackStatus, State


def status(*services: tuple[str, State, str]) -> StackStatus:
    return StackStatus(
        profile="tiny",
        pid=1,
        birth="b",
        services=tuple(
            ServiceStatus(name=name, state=state, address="", detail=detail) for name, state, detail in services
        ),
    )


def test_what_is_waited_for_is_said_with_why() -> None:
    found = status(
        ("object-store", State.UNHEALTHY, "is the disk full?"),
        ("catalog", State.HEALTHY, ""),
        ("spark", State.STARTING, "answers its\n first query"),
        ("cache", State.STARTING, ""),
    )
    assert waited_for(found) == (
        "waiting for object-store (is the disk full?), spark (answers its first query), cache (starting)"
    )


def test_a_service_that_falls_ill_again_is_waited_for_again() -> None:
    told = [waited_for(status(("store", state, ""))) for state in (State.HEALTHY, State.UNHEALTHY)]
    assert told == ["", "waiting for store (unhealthy)"]


def test_a_reason_in_brackets_is_shown_as_it_is() -> None:
    """Rich would take it for markup."""
    console = Console(file=StringIO(), force_terminal=True, width=120)
    with StartView(console)._spinner() as say:
        say("waiting for spark ([/Errno 2] no file)")
    file = console.file
    assert isinstance(file, StringIO)
    assert "[/Errno 2] no file" in file.getvalue()


@pytest.mark.parametrize(
    ("profile", "used", "said"), [("core", "kafka", True), ("stream", "kafka", False), ("core", "catalog", False)]
)
def test_a_start_without_what_the_home_was_used_with_says_how_to_start_all_of_it(
    tmp_path: Path, profile: str, used: str, *, said: bool
) -> None:
    Home(tmp_path).data(used).mkdir(parents=True)
    nothing = Mock(home=Home(tmp_path), start=Mock(return_value=(None, True)), watch=Mock(return_value=()))
    out = StringIO()
    view = StartView(Console(file=out, width=200))
    with patch.object(StartView, "_fetch"), patch.object(StartView, "_install"):
        assert view.up(nothing, profile)
    assert ("`boathouse up --profile stream` starts all of it." in out.getvalue()) is said
