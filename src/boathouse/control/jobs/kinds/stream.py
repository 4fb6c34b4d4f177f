"""A streaming pipeline of ours, by its spec: it follows its source until somebody stops it."""

import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import orjson
import yaml
from pydantic import Field, ValidationError

from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec
from boathouse.control.jobs.kinds.stream_tables import read_by, written_by
from boathouse.control.jobs.parameters import filled
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stream_status import STREAM, StreamStatus
from boathouse.control.jobs.touched import Touched
from boathouse.kit.errors import InvalidInput

OURS = (sys.executable, "-u", "-m", "boathouse.cli.main")
# The program writes once a second: whoever looks twice as often misses nothing.
_LOOK_EVERY = 0.5


class StreamSpec(Spec):
    pipeline: dict[str, Any] = Field(
        min_length=1, description="The spec of a streaming pipeline. `boathouse pipeline keys --stream` lists it."
    )
    once: bool = Field(default=False, description="Bring over what is there by now, and end.")


class Stream(Kind):
    name: ClassVar[str] = "stream"
    title: ClassVar[str] = "Streaming pipeline"
    spec: ClassVar[type[Spec]] = StreamSpec
    is_stream: ClassVar[bool] = True
    # What it has begun of a batch it finishes, which takes half a minute at the most.
    grace: ClassVar[float] = 35.0

    def __init__(self, program: Sequence[str] = OURS) -> None:
        self._program = program

    def check(self, definition: Definition) -> None:
        super().check(definition)
        if not follows(definition.spec["pipeline"]):
            raise InvalidInput(
                "This pipeline follows no stream: its source has no `kind`.",
                hint="One that loads files is a job of the kind pipeline.",
            )
        if definition.concurrency.most != 1:
            raise InvalidInput(
                "A streaming pipeline is at work once at a time.", hint="Leave `concurrency.most` out, or make it 1."
            )

    def ends(self, spec: Mapping[str, Any]) -> bool:
        return bool(spec.get("once"))

    def execute(self, attempt: Attempt) -> None:
        """By the command that people use. It goes on from its checkpoint, whoever was at work before."""
        spec = StreamSpec.model_validate(dict(attempt.spec))
        text, status, report = (Path(attempt.scratch) / name for name in ("stream.yaml", "status.json", "report.json"))
        text.write_text(yaml.safe_dump(filled(spec.pipeline, attempt.values), sort_keys=False))
        wanted = ["pipeline", "run", str(text), "--status", str(status), "--report", str(report)]
        with _watched(status, attempt, self.touched(attempt)):
            attempt.run([*self._program, *wanted, *(["--once"] if spec.once else [])], {})
        if report.exists():
            attempt.report(orjson.loads(report.read_bytes()))

    def touched(self, attempt: Attempt) -> Touched:
        spec = filled(StreamSpec.model_validate(dict(attempt.spec)).pipeline, attempt.values)
        return Touched(reads=read_by(spec), writes=written_by(spec))


def follows(pipeline: Mapping[str, Any]) -> bool:
    """Whether it is a stream's spec: its source says what is followed, and not where files are."""
    source: Any = pipeline.get("source")
    return isinstance(source, Mapping) and "kind" in source


@contextmanager
def _watched(file: Path, attempt: Attempt, touched: Touched) -> Generator[None]:
    """Pass on what the program writes down, until it has ended and what it wrote last is told as well."""
    watch, over = _Watch(file, attempt, touched), threading.Event()

    def look() -> None:
        while not over.wait(_LOOK_EVERY):
            watch.look()

    beside = threading.Thread(target=look, daemon=True)
    beside.start()
    try:
        yield
    finally:
        over.set()
        beside.join()
        watch.look()


class _Watch:
    def __init__(self, file: Path, attempt: Attempt, touched: Touched) -> None:
        self._file = file
        self._attempt = attempt
        self._touched = touched
        self._seen = b""
        self._refused = False

    def look(self) -> None:
        try:
            written = self._file.read_bytes()
        except FileNotFoundError:
            return
        if written == self._seen:
            return
        self._seen = written
        try:
            status = StreamStatus.model_validate_json(written)
        except ValidationError as error:
            # What is written of it is not the work itself, which goes on.
            if not self._refused:
                self._attempt.log(f"How it fares is not known: {error}", stream="system")
            self._refused = True
            return
        self._attempt.progress({STREAM: status.model_dump(mode="json")})
        if status.state == "running" and self._touched:
            # Not only at its end, which may be months away.
            self._attempt.touches(self._touched)
            self._touched = Touched()
