"""Programs that an attempt starts: their output is its log, and they end when it does."""

import codecs
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BufferedReader, IncrementalNewlineDecoder
from typing import IO

from boathouse.control.connections.hiding import Hidden
from boathouse.kit.errors import WorkFailed

Log = Callable[[str, str], None]
# What was said is passed on in no time; only who left something running keeps the line open.
_LAST_WORDS = 5.0
# What is longer comes in several: nobody reads it, and it is held until its end.
LONGEST_LINE = 8_000
# As much as a pipe holds.
_AT_ONCE = 64 * 1024


def run_command(
    command: Sequence[str],
    environment: Mapping[str, str],
    directory: str,
    log: Log,
    *,
    hidden: Hidden | None = None,
    grace: float = 5.0,
    ended: Callable[[], None] = lambda: None,
) -> None:
    """To its end; WorkFailed with its last line if it fails. What it left running may hold its output open: `ended` is for that.

    One that has to stop is asked to, and killed if it has not ended within the grace. Of what is hidden no part is passed on
    without the rest, by which whoever keeps the log would know it.
    """
    last = _LastLine(log)
    process = subprocess.Popen(
        [*_leash(), *command],
        env={**os.environ, **environment, "PYTHONUNBUFFERED": "1"},
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    readers = [
        threading.Thread(target=_pass_on, args=(pipe, stream, last, hidden or Hidden(())), daemon=True)
        for stream, pipe in (("out", process.stdout), ("err", process.stderr))
    ]
    for reader in readers:
        reader.start()
    try:
        code = process.wait()
    except BaseException:
        _end(process, grace)
        ended()
        _join(readers)
        raise
    ended()
    _join(readers)
    if code != 0:
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        raise WorkFailed(f"The program {how}" + (f": {last.text}" if last.text else "."))


class _LastLine:
    """Passes on every line and keeps the last that says what happened, errors before output."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._last: dict[str, str] = {}

    @property
    def text(self) -> str | None:
        return self._last.get("err") or self._last.get("out")

    def __call__(self, stream: str, line: str) -> None:
        # Our own commands say what to do after what went wrong.
        if line.strip() and not line.startswith("Hint:"):
            self._last[stream] = line.strip()
        self._log(stream, line)


def _pass_on(pipe: IO[bytes] | None, stream: str, log: Log, hidden: Hidden) -> None:
    assert isinstance(pipe, BufferedReader)  # noqa: S101 - both were asked for
    rest = ""
    with pipe:
        for text in _decoded(pipe):
            *lines, rest = (rest + text).split("\n")
            for line in lines:
                log(stream, line)
            rest = _shortened(rest, stream, log, hidden)
    if rest:
        log(stream, rest)


def _decoded(pipe: BufferedReader) -> Iterator[str]:
    """As it comes, with every end of a line the same: a bar that moves ends its lines with carriage returns."""
    decoder = IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8")("replace"), translate=True)
    while read := pipe.read1(_AT_ONCE):
        yield decoder.decode(read)
    yield decoder.decode(b"", final=True)


def _shortened(rest: str, stream: str, log: Log, hidden: Hidden) -> str:
    """Pass on the beginning of a line that is long before it ends. A secret whose end is yet to come stays whole in what is left."""
    if len(rest) <= LONGEST_LINE + hidden.longest:
        return rest
    rest = hidden.taken_out_of(rest)
    while len(rest) > LONGEST_LINE + hidden.longest:
        log(stream, rest[:LONGEST_LINE])
        rest = rest[LONGEST_LINE:]
    return rest


def _join(readers: Sequence[threading.Thread]) -> None:
    for reader in readers:
        reader.join(timeout=_LAST_WORDS)


def _end(process: subprocess.Popen[bytes], grace: float) -> None:
    process.terminate()
    try:
        process.wait(timeout=grace)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _leash() -> list[str]:
    """Before a command: it is killed when this process is gone, even by a kill that takes the worker as well.

    Not by code of ours after the fork, in which the client of Spark Connect would hang. Where there is no such program,
    the worker ends it with the group of processes that it belongs to.
    """
    found = shutil.which("setpriv")
    return [found, "--pdeathsig", "KILL", "--"] if found else []
