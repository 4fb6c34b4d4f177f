"""What a kind of job is: what its spec takes, and how one attempt at it is carried out."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from boathouse.control.connections.given import GivenConnection
from boathouse.control.connections.needed import NeededConnection
from boathouse.control.jobs.parameters import names_in
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.touched import Touched
from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import InvalidInput


class Spec(BaseModel):
    """What a job of a kind says beside what every job does."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Attempt(Protocol):
    """One attempt at a run, as the process that carries it out sees it."""

    @property
    def run_id(self) -> str: ...

    @property
    def number(self) -> int: ...

    @property
    def job(self) -> str:
        """Its name; nothing for a query."""
        ...

    @property
    def spec(self) -> Mapping[str, Any]:
        """Already checked by the kind."""
        ...

    @property
    def values(self) -> Mapping[str, Any]:
        """Of the parameters, as JSON has them."""
        ...

    @property
    def typed(self) -> Mapping[str, Any]:
        """The same, dates as dates."""
        ...

    @property
    def scratch(self) -> str:
        """A directory that is gone when the attempt is over."""
        ...

    @property
    def connections(self) -> Mapping[str, GivenConnection]:
        """Those that the kind said it needs, by their names."""
        ...

    def lake(self) -> LakeAccess: ...

    def log(self, text: str, *, stream: str = "out") -> None: ...

    def progress(self, told: Mapping[str, Any], *, at_once: bool = False) -> None:
        """How far it has come. Some of what comes too often is left out, unless it is to be told at once."""
        ...

    def keep(self, batches: Iterator[Any], schema: Any, *, at_most: int) -> None:
        """Keep a result's rows, instead of any kept before."""
        ...

    def report(self, told: Mapping[str, Any]) -> None:
        """What was done in figures; it is kept with the run if the attempt succeeds."""
        ...

    def touches(self, touched: Touched) -> None:
        """What it reads and writes, told before it has ended; for a kind that does not end by itself."""
        ...

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Run a program to its end, its output as the log; WorkFailed if it fails."""
        ...


class Kind(ABC):
    name: ClassVar[str]
    title: ClassVar[str]
    spec: ClassVar[type[Spec]]
    has_process: ClassVar[bool] = True
    """Whether a worker carries it out. A flow is only its tasks."""
    is_stream: ClassVar[bool] = False
    """Whether it follows what comes, and is meant to go on for ever. Runs of such a kind are not waited for, and not in the way of others."""
    grace: ClassVar[float] = 5.0
    """Seconds in which a program of it may end when it is told to; then it is killed."""

    def check(self, definition: Definition) -> None:
        """Refuse what the spec alone cannot know to be wrong."""
        refuse_unknown_names(definition.spec, definition)

    def needs(self, _spec: Mapping[str, Any]) -> list[NeededConnection]:
        """The connections without which it cannot be carried out."""
        return []

    def ends(self, _spec: Mapping[str, Any]) -> bool:
        """Whether it comes to an end by itself. What does not has no timeout but its own, and is no task of a flow."""
        return True

    def touched(self, attempt: Attempt) -> Touched:
        """What an attempt that succeeded read and wrote, as far as its spec tells."""
        del attempt
        return Touched()

    @abstractmethod
    def execute(self, attempt: Attempt) -> None:
        """Carry it out. Whatever it raises is the attempt's failure.

        The process carries out other attempts afterwards, so what somebody wrote runs beside it and not in it.
        """


def refuse_unknown_names(value: Any, definition: Definition) -> None:
    """`{{name}}` must be a parameter of the job."""
    unknown = sorted(names_in(value) - {parameter.name for parameter in definition.parameters})
    if unknown:
        raise InvalidInput(
            f"The spec asks for the parameter {unknown[0]!r}, which the job does not have.",
            hint="Add it to the parameters, or correct its name.",
        )
