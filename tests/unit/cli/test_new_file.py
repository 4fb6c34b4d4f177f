"""Where commands write files that somebody named."""

from pathlib import Path

import pytest

from boathouse.cli.new_file import refuse_unless_new
from boathouse.kit.errors import InvalidInput
from tests.integration.control_commands import Machine
from tests.unit.client.small_server import Sent, SmallServer

COMMANDS = [("run", "download", "r-1"), ("audit", "export")]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_directory_that_is_not_there_is_not_made(
    server: SmallServer, machine: Machine, tmp_path: Path, command: tuple[str, ...]
) -> None:
    done = machine.run(*command, str(tmp_path / "nowhere" / "rows.csv"), code=4)
    assert f"There is no directory {tmp_path / 'nowhere'}." in done.stderr
    assert not (tmp_path / "nowhere").exists()
    assert server.asked == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_there_is_written_over_only_if_that_is_said(
    server: SmallServer, machine: Machine, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("dear to somebody")
    assert "--force" in machine.run(*command, str(file), code=6).stderr
    assert file.read_text() == "dear to somebody"
    server.answers.append(Sent(content=b"a,b\n"))
    machine.run(*command, str(file), "--force")
    assert file.read_text() == "a,b\n"
    assert server.asked[0].path.endswith("format=csv")


def test_a_directory_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is a directory"):
        refuse_unless_new(tmp_path, force=True)
