"""One question on its way through the server, and what it needs on that way."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from boathouse.stack.embedded_clickhouse.answers import Answer
from boathouse.stack.embedded_clickhouse.bodies import Body
from boathouse.stack.embedded_clickhouse.forms import ExternalTable
from boathouse.stack.embedded_clickhouse.questions import Question
from boathouse.stack.embedded_clickhouse.running import RunningQuery
from boathouse.stack.embedded_clickhouse.sessions import HeldConnection


@dataclass(frozen=True)
class Arrived:
    """As it came in: whole, and somebody waits for its answer."""

    question: Question
    body: Body
    answer: Answer
    gone: asyncio.Event
    """Set once nobody waits any more."""
    tables: Sequence[ExternalTable] = ()
    """What it brings to be joined."""


@dataclass(frozen=True)
class Asked:
    """With a connection of the engine, and a place among the queries that run."""

    arrived: Arrived
    held: HeldConnection
    running: RunningQuery

    @property
    def question(self) -> Question:
        return self.arrived.question
