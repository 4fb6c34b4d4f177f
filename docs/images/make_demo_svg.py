# ruff: noqa: INP001 - a program of its own, in no package
"""Draws demo.svg, the picture in the README, from what `boathouse demo` really prints.

    uv run --no-sync python docs/images/make_demo_svg.py

The demo runs on a terminal of its own, in a home made for it. What is left on that terminal once the progress bars have
been wiped away is the picture, less what CUT and LESS name; the name of that home is written as a user's would be.
"""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 100
SHOWN_HOME = "~/.boathouse"
PICTURE = Path(__file__).with_name("demo.svg")
# Chapters, by how their title begins, and lines, by how they do, that would only make the picture longer.
CUT = ("How does the year go?", "What sells?", "Where everything is", "Look around in a browser")
LESS = ("· ", "  object-store ", "  catalog ", "  control ", "  worker ", "  spark ", "dropped ", "Stopped ")
# Of the second load only the sums are shown.
SECOND_LOAD = "July comes"
LESS_AGAIN = ("table ", "  fits ", "  quantity ", "  region ", "snapshot ")
CHAPTER = "▌ "
_CONTROL = re.compile(
    r"\x1b\[(?P<number>\??\d*)(?P<letter>[AKhl])|(?P<return>\r)|(?P<newline>\n)|\x1b\]8[^\x1b]*\x1b\\\\"
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def run_demo(home: Path) -> str:
    """Everything the demo writes to its terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, WIDTH, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "LINES"}}
    environment |= {"BOATHOUSE_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    command = [str(Path(sys.executable).with_name("boathouse")), "demo", "--once"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    written = b"".join(_chunks(ours))
    if process.wait() != 0:
        sys.exit(written.decode())
    return written.decode()


def _chunks(terminal: int) -> Iterator[bytes]:
    try:
        while chunk := os.read(terminal, 65536):
            yield chunk
    except OSError:
        return  # how Linux says that the other side was closed


def screen(written: str) -> list[str]:
    """The lines that are left, with their colours, once cursor movements have been obeyed."""
    lines, row, at, fresh = [""], 0, 0, False
    for control in _CONTROL.finditer(written):
        text = written[at : control.start()]
        if text:
            lines[row] = text if fresh else lines[row] + text
            fresh = False
        at = control.end()
        if control["newline"]:
            row, fresh = row + 1, False
            lines += [""] * (row + 1 - len(lines))
        elif control["return"]:
            fresh = True
        elif control["letter"] == "A":
            row = max(0, row - int(control["number"] or 1))
        elif control["letter"] == "K":
            lines[row] = ""
    return lines


def telling(lines: list[str]) -> Iterator[str]:
    keep, less = True, LESS
    for line in lines:
        plain = _COLOUR.sub("", line)
        if plain.startswith(CHAPTER):
            title = plain.removeprefix(CHAPTER)
            keep = not title.startswith(CUT)
            less = LESS + LESS_AGAIN if title.startswith(SECOND_LOAD) else LESS
        if keep and not plain.startswith(less):
            yield line


def draw(lines: list[str]) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), no_wrap=True, crop=True, overflow="crop", highlight=False)
    console.save_svg(str(PICTURE), title="make demo")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="boathouse-picture-") as home:
        written = run_demo(Path(home))
        lines = [line.replace(home, SHOWN_HOME).rstrip() for line in telling(screen(written))]
    text = "\n".join(lines).strip("\n")
    draw(text.split("\n"))
    sys.stdout.write(f"{PICTURE}: {len(text.splitlines())} lines\n")


if __name__ == "__main__":
    main()
