"""What a browser asks for: in, out, and who it is."""

from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse

from boathouse.control.access.actor import Actor
from boathouse.control.access.dependencies import SESSION_COOKIE, Caller
from boathouse.control.http.errors import answer
from boathouse.control.http.requests import address_of
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, Work, WorkRoute
from boathouse.control.sessions import repository, service
from boathouse.control.sessions.schemas import LoggedIn, Login
from boathouse.control.users.schemas import UserTold
from boathouse.kit.errors import Forbidden

CSRF_COOKIE = "boathouse_csrf"
router = api_router("sessions", WorkRoute)


async def _secure(request: Request) -> bool:
    return request.url.scheme == "https" or request.app.state.options.browsers_use_https


Secure = Annotated[bool, Depends(_secure)]


@router.post("/login", name="session.log-in", response_model=LoggedIn)
async def log_in(request: Request, work: Work, wanted: Login, note: Noted, secure: Secure) -> Response:
    name = wanted.name.strip().lower()
    note.user_name = name
    _refuse_passwords(request)
    note.target = f"user {name}"
    address, password = address_of(request.scope), wanted.password.get_secret_value()
    # Before the first word to the database of this request's own transaction, which begins with that.
    matching = await service.matching_hash(request.app.state.database, name, password, address)
    opened = await service.log_in(work, name, matching, address)
    if opened is None:
        # Answered, not raised: what is raised is rolled back, and the failure is to be counted.
        note.result = "unauthenticated"
        hint = "Check both. A platform admin can set a new password."
        return answer(request, 401, "unauthenticated", "The name or the password is wrong.", hint)
    told = LoggedIn(user=UserTold.model_validate(opened.user), csrf=opened.csrf)
    response = JSONResponse(told.model_dump(mode="json"))
    set_cookies(response, opened, secure=secure)
    return response


@router.post("/logout", name="session.log-out", status_code=204)
async def log_out(work: Work, actor: Caller, note: Noted) -> Response:
    note.target = f"user {actor.name}"
    await _end(work, actor)
    response = Response(status_code=204)
    response.delete_cookie(SESSION_COOKIE)
    response.delete_cookie(CSRF_COOKIE)
    return response


def _refuse_passwords(request: Request) -> None:
    oidc = request.app.state.options.oidc
    if oidc is not None and not oidc.passwords:
        raise Forbidden(
            "Nobody logs in with a password here.", hint=f"Use {oidc.label}: go to /api/v1/sessions/oidc/start."
        )


def set_cookies(response: Response, opened: service.Opened, *, secure: bool) -> None:
    seconds = int(service.LIFETIME.total_seconds())
    # Strict would log out whoever follows a link from a mail; Lax never sends it with a change from elsewhere.
    response.set_cookie(SESSION_COOKIE, opened.secret, seconds, httponly=True, secure=secure, samesite="lax")
    response.set_cookie(CSRF_COOKIE, opened.csrf, seconds, secure=secure, samesite="lax")


async def _end(work: Work, actor: Actor) -> None:
    if actor.session_id is not None:
        await repository.end(work, actor.session_id)
