"""A request is the unit of work: one transaction, and with every change one entry of the audit in it."""

from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from fastapi import Depends, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.params import Cookie, Header, Path
from fastapi.routing import APIRoute
from pydantic_core import from_json
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Actor
from boathouse.control.audit.chain import NewEntry, append
from boathouse.control.database import Database
from boathouse.control.database.keepable import keepable
from boathouse.control.http.bodies import JsonRequest
from boathouse.control.http.requests import address_of
from boathouse.kit.errors import BoathouseError, InvalidInput

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
DONE = "done"
Answer = Callable[[Request], Coroutine[Any, Any, Response]]


@dataclass
class Note:
    """What a request tells the audit of itself, as it finds out."""

    target: str = ""
    workspace_id: str | None = None
    result: str = DONE
    user_name: str | None = None
    """Of somebody who says so, as at a login."""
    details: dict[str, Any] = field(default_factory=dict[str, Any])


class WorkRoute(APIRoute):
    """The name of a changing route is what the audit calls the action, such as `workspace.create`."""

    safe: ClassVar[frozenset[str]] = SAFE
    """The methods that change nothing."""
    strict: ClassVar[bool] = True
    """Whether an address that asks for something nobody knows is refused."""

    def get_route_handler(self) -> Answer:
        answer = super().get_route_handler()
        known = _asked_by(self.dependant)

        async def handle(request: Request) -> Response:
            if self.body_field is not None:
                request = JsonRequest(request.scope, request.receive)
            request.state.note = Note()
            if self.strict and request.scope["query_string"]:
                _refuse_unknown(request, known)
            if request.method in self.safe:
                return await _reading(request, answer)
            try:
                return await self._changing(request, answer)
            except (BoathouseError, RequestValidationError) as error:
                await self._refused(request, error)
                raise

        return handle

    async def _changing(self, request: Request, answer: Answer) -> Response:
        async with request.app.state.database.changing() as session:
            request.state.session = session
            response = await answer(request)
            await append(session, self._entry(request))
        return response

    async def _refused(self, request: Request, error: Exception) -> None:
        """Noted in a transaction of its own, for that of the request is gone. Of strangers nothing is noted."""
        if getattr(request.state, "actor", None) is None:
            return
        request.state.note.result = error.code if isinstance(error, BoathouseError) else "invalid-input"
        request.state.note.target = request.state.note.target or await self._aimed_at(request)
        await self._noted(request)

    async def _aimed_at(self, request: Request) -> str:
        """Of a request that was refused before it could say so: what its address or its body names."""
        named = [str(value) for name, value in request.path_params.items() if name != "workspace"]
        if not named:
            with suppress(ValueError):
                body = from_json(await request.body())
                named = [body["name"]] if isinstance(body, dict) and isinstance(body.get("name"), str) else []
        return f"{self.name.partition('.')[0]} {' '.join(named)}" if named else ""

    async def _noted(self, request: Request) -> None:
        async with request.app.state.database.changing() as session:
            await append(session, self._entry(request))

    def _entry(self, request: Request) -> NewEntry:
        note: Note = request.state.note
        actor: Actor | None = getattr(request.state, "actor", None)
        return NewEntry(
            user_id=actor.user_id if actor else None,
            user_name=actor.name if actor else note.user_name,
            address=address_of(request.scope),
            action=self.name,
            workspace_id=note.workspace_id,
            # Text that Postgres cannot keep is no way to go unnoticed.
            target=keepable(note.target)[:300],
            result=note.result,
            details=keepable(note.details),
            request_id=request.state.request_id,
        )


class LookingRoute(WorkRoute):
    """For what is asked with a body, and changes nothing."""

    safe = SAFE | {"POST"}


class OutwardRoute(WorkRoute):
    """For what changes nothing here but takes its time elsewhere: meanwhile nobody may have to wait for us."""

    async def _changing(self, request: Request, answer: Answer) -> Response:
        response = await _reading(request, answer)
        await self._noted(request)
        return response


class FetchRoute(WorkRoute):
    """For what is fetched elsewhere, while nobody waits for us, and then kept: in one transaction with its entry."""

    async def _changing(self, request: Request, answer: Answer) -> Response:
        @asynccontextmanager
        async def keeping() -> AsyncGenerator[AsyncSession]:
            async with request.app.state.database.changing() as session:
                yield session
                await append(session, self._entry(request))

        request.state.keeping = keeping
        return await _reading(request, answer)


def _asked_by(dependant: Dependant) -> frozenset[str]:
    """The names that may stand behind the question mark of a route's address."""
    elsewhere = Path | Header | Cookie
    return frozenset(one.alias for one in get_flat_params(dependant) if not isinstance(one.field_info, elsewhere))


def _refuse_unknown(request: Request, known: frozenset[str]) -> None:
    """A filter with a slip of the pen in its name would be a list without that filter."""
    for name in request.query_params:
        if name not in known:
            possible = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
            raise InvalidInput(
                f"The address asks for {name[:60]!r}, which is not known here.",
                hint=possible,
                fields={name[:60]: "is not known"},
            )


async def _reading(request: Request, answer: Answer) -> Response:
    database: Database = request.app.state.database
    async with database.reading() as session:
        request.state.session = session
        return await answer(request)


# Not plain functions: the framework would start a thread for each.
async def _session(request: Request) -> AsyncSession:
    return request.state.session


async def _note(request: Request) -> Note:
    return request.state.note


async def _keeping(request: Request) -> Callable[[], AbstractAsyncContextManager[AsyncSession]]:
    return request.state.keeping


Work = Annotated[AsyncSession, Depends(_session)]
Noted = Annotated[Note, Depends(_note)]
Keeping = Annotated[Callable[[], AbstractAsyncContextManager[AsyncSession]], Depends(_keeping)]
"""In a `FetchRoute`: what is changed in its block is committed with the audit's entry."""
