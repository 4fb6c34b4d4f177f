"""A test of a connection, step by step: it ends at the first that fails, and says what to do about that one."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from pydantic import BaseModel, Field

from boathouse.control.connections.hiding import Hidden
from boathouse.kit.errors import BoathouseError, InvalidInput, Unavailable

SECONDS = 15
"""For each step: a system that takes longer is of no use to anybody who waits."""

# Of what a system answers: its reason, and not whole pages of whatever stands in the network.
_LONGEST = 500


@dataclass(frozen=True)
class Step:
    name: str
    take: Callable[[], Awaitable[str]]
    """Says what was found; raises what is wrong."""


class StepTaken(BaseModel):
    name: str
    ok: bool
    message: str
    hint: str | None = None
    milliseconds: int

    def without(self, secrets: Hidden) -> "StepTaken":
        told = secrets.taken_out_of(self.message)
        return self.model_copy(update={"message": told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"})


class Tested(BaseModel):
    ok: bool
    steps: list[StepTaken]
    skipped: list[str] = Field(default_factory=list[str], description="The steps that were left out after one failed.")

    def after(self, steps: list[StepTaken]) -> "Tested":
        return self.model_copy(update={"steps": [*steps, *self.steps]})

    def without(self, secrets: Iterable[str]) -> "Tested":
        """What other systems say is passed on, and some say what was sent to them: never a secret."""
        hidden = Hidden(secrets)
        return self.model_copy(update={"steps": [step.without(hidden) for step in self.steps]})


async def take_all(steps: list[Step]) -> Tested:
    done: list[StepTaken] = []
    for step in steps:
        done.append(await taken(step))
        if not done[-1].ok:
            break
    skipped = [step.name for step in steps[len(done) :]]
    return Tested(ok=all(step.ok for step in done), steps=done, skipped=skipped)


async def taken(step: Step, seconds: float = SECONDS) -> StepTaken:
    began = time.perf_counter()
    ok, hint = False, None
    try:
        message = await asyncio.wait_for(step.take(), seconds)
        ok = True
    except TimeoutError:
        message, hint = f"No answer in {seconds:g} seconds.", "Is there a firewall between, or is it overloaded?"
    except BoathouseError as error:
        message, hint = str(error), error.hint
    except Exception as error:  # noqa: BLE001 - libraries refuse what people type in many ways, and a test is to say so
        message, hint = f"It cannot be tried: {_said(error)}.", "Check the configuration and the secrets."
    return StepTaken(
        name=step.name, ok=ok, message=message, hint=hint, milliseconds=round(1000 * (time.perf_counter() - began))
    )


def _said(error: Exception) -> str:
    # Python names the letter that stood in the way, which may be one of a secret.
    text = "a letter in it cannot be sent" if isinstance(error, UnicodeError) else str(error)
    return text.strip().partition("\n")[0][:300].rstrip(".") or type(error).__name__


def reach(host: str, port: int) -> list[Step]:
    """The steps that come first for everything that listens somewhere."""

    async def resolve() -> str:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Unavailable(
                f"The name {host} is not known: {error.strerror}.", hint="Check the host's name."
            ) from error
        except ValueError as error:
            # Nobody is asked for it: a part of it is empty, or longer than 63 letters.
            raise InvalidInput(f"{host} cannot be a host's name.", hint="Check the host's name.") from error
        return f"{host} is {found[0][4][0]}."

    async def connect() -> str:
        try:
            _, writer = await asyncio.open_connection(host, port)
        except OSError as error:
            raise Unavailable(
                f"Nobody takes the call at {host}:{port}: {error.strerror or error}.",
                hint="Check the port, and that the system runs and may be reached from here.",
            ) from error
        writer.close()
        return f"{host}:{port} takes the call."

    return [Step("find the host", resolve), Step("reach it", connect)]
