"""A stream as a command: how it ends."""

import threading

import pytest
from py4j.protocol import Py4JNetworkError

from boathouse.cli.streams import _ended_together
from boathouse.kit.errors import Cancelled


@pytest.mark.parametrize("error", [ConnectionRefusedError(), Py4JNetworkError("Answer from Java side is empty")])
def test_one_whose_spark_a_signal_has_ended_too_was_stopped_and_has_no_bug(error: Exception) -> None:
    stopped = threading.Event()
    with pytest.raises(type(error)), _ended_together(stopped):
        raise error
    stopped.set()
    with pytest.raises(Cancelled, match="was stopped, and its Spark with it"), _ended_together(stopped):
        raise error
