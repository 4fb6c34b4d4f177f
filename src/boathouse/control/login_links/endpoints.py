"""What can be asked about login links."""

from fastapi import Response
from fastapi.responses import JSONResponse

from boathouse.control.access.dependencies import Caller
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, Work, WorkRoute
from boathouse.control.login_links import service
from boathouse.control.login_links.schemas import Code, LinkTold, LinkWanted
from boathouse.control.sessions.endpoints import Secure, set_cookies
from boathouse.control.sessions.schemas import LoggedIn
from boathouse.control.users.schemas import UserTold

router = api_router("sessions", WorkRoute)


@router.post("/login-links", name="session.make-link", status_code=201)
async def make(work: Work, actor: Caller, note: Noted, wanted: LinkWanted | None = None) -> LinkTold:
    """A link that logs a browser in as the caller, once, within a minute if nothing else is asked for."""
    wanted = wanted or LinkWanted()
    note.target, note.details = f"user {actor.name}", {"seconds": wanted.seconds}
    return await service.make(work, actor, wanted)


@router.post("/login/once", name="session.log-in-by-link", response_model=LoggedIn)
async def use(work: Work, wanted: Code, note: Noted, secure: Secure) -> Response:
    opened = await service.use(work, wanted.code.get_secret_value())
    note.user_name = opened.user.name
    note.target = f"user {opened.user.name}"
    told = LoggedIn(user=UserTold.model_validate(opened.user), csrf=opened.csrf)
    response = JSONResponse(told.model_dump(mode="json"))
    set_cookies(response, opened, secure=secure)
    return response
