"""Several pipelines of events, one after the other in one Spark: what there is by now, as `boathouse pipeline run --once` takes it in."""

import sys
from pathlib import Path
from typing import Any

from boathouse.cli.streams import driver
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.run import Stream
from boathouse.pipelines.stream.spec import StreamSpec


def main(paths: list[str]) -> None:
    with driver("several") as (session, access, say):
        for path in paths:
            spec = parse_any(Path(path).read_text(encoding="utf-8"), path)
            assert isinstance(spec, StreamSpec)
            Stream(StreamContext(spec, session, access, say), _nobody).once()


def _nobody(_status: dict[str, Any]) -> None:
    """Nobody asks how it is."""


main(sys.argv[1:])
