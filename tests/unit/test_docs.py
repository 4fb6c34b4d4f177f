"""The documents say what is so: settings, commands, links and the tests that requirements are shown by."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boathouse.cli.main import COMMANDS, load

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# A command stands in code: after a backtick, or at the beginning of a line of a block, perhaps after a prompt.
COMMAND = re.compile(r"(?:`|^(?:\$ )?)boathouse(?: --?[a-z-]+)* ([^`\n#|;]+)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


@pytest.fixture(params=PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def page(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_the_page_of_settings_is_up_to_date() -> None:
    program = runpy.run_path(str(ROOT / "docs" / "make_settings.py"))
    written = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert written == program["page"](), "Run `uv run --no-sync python docs/make_settings.py`."


def test_every_command_and_option_that_is_named_is_there(page: Path) -> None:
    for line in COMMAND.findall(page.read_text(encoding="utf-8")):
        unknown = list(_unknown(line))
        assert not unknown, f"`boathouse {line}`: there is no {', '.join(unknown)}"


def test_every_link_leads_somewhere(page: Path) -> None:
    broken = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]
    assert not broken


def test_every_test_that_is_named_is_there(page: Path) -> None:
    for file, name in TEST.findall(page.read_text(encoding="utf-8")):
        assert (ROOT / file).is_file(), file
        if name:
            assert re.search(rf"\b(def|class) {name}\b", (ROOT / file).read_text(encoding="utf-8")), f"{file}::{name}"


def test_requirements_are_counted_right() -> None:
    text = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    states = [row.rstrip(" |").rpartition(" | ")[2] for row in text.splitlines() if re.match(r"\| (?![|-]|asks)", row)]
    there, partly = (sum(state.startswith(word) for state in states) for word in ("there", "partly"))
    rest = len(states) - there - partly
    assert f"Of {len(states)} rows, {there} are there, {partly} partly, {rest} not yet." in text


def _unknown(line: str) -> Iterator[str]:
    """What the line names and the command line does not have."""
    # What stands in quotes is SQL or a pattern.
    first, *rest = re.sub(r"\"[^\"]*\"?|'[^']*'?", "", line).split() or [""]
    if not first.isalpha() or not first.islower():
        return
    if first not in COMMANDS:
        yield first
        return
    command: Any = load(first)
    path = first
    while (below := _commands(command)) and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        path = f"{path} {rest[0]}"
        if rest[0] not in below:
            yield path
            return
        command, rest = below[rest[0]], rest[1:]
    options = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    yield from (option for option in OPTION.findall(" ".join(rest)) if option not in options)


def _commands(command: Any) -> dict[str, Any]:
    """What a group holds; a plain command holds nothing."""
    return getattr(command, "commands", {})
