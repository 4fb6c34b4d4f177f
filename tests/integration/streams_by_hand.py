"""One Spark that takes in pipelines of events, each when it is told to: what there is by now, as `boathouse pipeline run --once` does.

A line is an order, and a line is the answer: what was said, and what went wrong.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pyspark.sql import DataFrame

from boathouse.cli.streams import driver
from boathouse.kit.errors import BoathouseError
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.bronze import Bronze
from boathouse.pipelines.stream.complaints import words
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.run import Stream
from boathouse.pipelines.stream.spec import StreamSpec
from boathouse.pipelines.stream.speed import Speed

HOPS = {"bronze": Bronze, "speed": Speed}


class Died(BoathouseError):  # noqa: N818 - as ours are named
    pass


def main() -> None:
    # Spark says what it has to say where programs answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with answers, driver("several") as (session, access, _):
        for line in sys.stdin:
            order, said = json.loads(line), list[str]()
            spec = parse_any(Path(order["spec"]).read_text(encoding="utf-8"), order["spec"])
            assert isinstance(spec, StreamSpec)
            error = _once(Stream(StreamContext(spec, session, access, said.append), _nobody), order["dies_in"])
            answers.write(json.dumps({"said": said, "error": error}) + "\n")
            answers.flush()


def _once(stream: Stream, dies_in: str | None) -> str | None:
    try:
        if dies_in is None:
            stream.once()
        else:
            hop = HOPS[dies_in]
            with patch.object(hop, "take", _dying(hop.take)):
                stream.once()
    except Exception as error:  # noqa: BLE001 - whatever it is, the test wants to know
        return words(error)
    return None


def _dying(take: Callable[[Any, DataFrame, int], None]) -> Callable[[Any, DataFrame, int], None]:
    """When the table has the batch, and Spark does not know it yet."""

    def took(hop: Any, messages: DataFrame, batch: int) -> None:
        take(hop, messages, batch)
        raise Died("It died.")

    return took


def _nobody(_status: dict[str, Any]) -> None:
    """Nobody asks how it is."""


main()
