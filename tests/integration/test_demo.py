"""The demo on a lakehouse that was running before, and the examples of the documents on the tables it leaves."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from boathouse.cli.demo_sales import QUESTIONS
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(
    r"^\$ boathouse ((?:sql|table) .+?)(?: +#.*)?$|^\| `boathouse ((?:sql|table) [^`]+)` \|", re.MULTILINE
)
# What only the reader has: a snapshot of theirs, a file, the table of the README's own example.
THE_READERS_OWN = ("SNAPSHOT", "report.sql", "mine.people")


@pytest.fixture(scope="module")
def demo(stack: LakehouseUnderTest) -> subprocess.CompletedProcess[str]:
    return stack.cli("demo", "--once")


def test_the_demo_does_not_stop_what_it_did_not_start(
    stack: LakehouseUnderTest, demo: subprocess.CompletedProcess[str]
) -> None:
    assert demo.returncode == 0, demo.stderr
    status = stack.status()
    assert status is not None
    assert status.healthy


def test_its_statements_are_shown_in_full_where_there_is_no_terminal(demo: subprocess.CompletedProcess[str]) -> None:
    for _, _, statement in QUESTIONS:
        assert statement in demo.stdout


def examples() -> list[str]:
    pages = ((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/cli.md"))
    found = (command or row for page in pages for command, row in EXAMPLE.findall(page))
    return [example for example in found if not any(name in example for name in THE_READERS_OWN)]


@pytest.mark.parametrize("example", examples())
def test_an_example_of_the_documents_answers_on_its_tables(
    stack: LakehouseUnderTest, demo: subprocess.CompletedProcess[str], example: str
) -> None:
    arguments = shlex.split(example)
    answered = stack.cli(*arguments)
    mistaken = "regoin" in example or example.endswith("sales.order")
    assert (answered.returncode == 0) is not mistaken, answered.stderr
