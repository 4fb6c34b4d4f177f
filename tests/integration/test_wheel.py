"""The built wheel is whole: installed as a tool, away from the checkout, it runs the lakehouse."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")


@dataclass(frozen=True)
class Tool:
    """The command as a user has it who never saw the source."""

    folder: Path

    @property
    def env(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("BOATHOUSE_", "VIRTUAL_ENV"))}
        cache = os.environ.get("BOATHOUSE_CACHE")
        return kept | {
            "UV_TOOL_DIR": str(self.folder / "tools"),
            "UV_TOOL_BIN_DIR": str(self.folder / "bin"),
            "BOATHOUSE_HOME": str(self.folder / "home"),
            **({"BOATHOUSE_CACHE": cache} if cache else {}),
        }

    def run(self, *command: str) -> str:
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        done = subprocess.run(command, cwd=empty, env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def boathouse(self, *arguments: str) -> str:
        return self.run(str(self.folder / "bin" / "boathouse"), *arguments)


@pytest.fixture
def tool(tmp_path: Path) -> Iterator[Tool]:
    built = Tool(tmp_path)
    built.run(UV, "build", "--wheel", "--quiet", "--out-dir", str(tmp_path / "dist"), str(ROOT))
    (wheel,) = (tmp_path / "dist").glob("boathouse-*.whl")
    built.run(UV, "tool", "install", "--quiet", str(wheel))
    try:
        yield built
    finally:
        built.boathouse("down")


def test_the_wheel_runs_the_lakehouse_from_an_empty_directory(tool: Tool) -> None:
    tool.boathouse("up")
    people = tool.folder / "people.csv"
    people.write_text("id,name\n1,Ada\n2,Grace\nx,Nobody\n")
    spec = tool.folder / "people.yaml"
    spec.write_text(
        "pipeline: people\nsource: {path: people.csv, format: csv}\n"
        "schema: {id: int, name: string}\ntarget: {table: mine.people}\n"
    )
    tool.boathouse("pipeline", "run", str(spec))
    assert tool.boathouse("sql", "select count(*) from mine.people", "--format", "csv").split() == ["count(1)", "2"]
    assert str(ROOT) not in tool.run(
        str(tool.folder / "tools" / "boathouse" / "bin" / "python"), "-c", "import boathouse; print(boathouse.__file__)"
    )
