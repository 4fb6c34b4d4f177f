"""What is said of a wait, and when nothing is."""

from io import StringIO
from time import sleep

from rich.console import Console

from boathouse.cli.waiting import waiting


def test_a_long_wait_is_explained() -> None:
    said = StringIO()
    with waiting(Console(file=said, width=80), "waiting for the [catalog]", after=0.01):
        sleep(0.3)
    assert said.getvalue() == "waiting for the [catalog] …\n"


def test_a_short_one_is_not() -> None:
    said = StringIO()
    with waiting(Console(file=said), "waiting", after=0.2):
        pass
    sleep(0.4)
    assert not said.getvalue()


def test_nor_is_one_in_which_work_was_heard_of() -> None:
    said = StringIO()
    with waiting(Console(file=said), "waiting", after=0.1) as heard:
        heard()
        sleep(0.3)
    assert not said.getvalue()
