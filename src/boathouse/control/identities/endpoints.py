"""What a browser asks for that logs in by an identity provider: which ways there are, out, and back."""

from typing import Annotated

import structlog
from fastapi import Depends, Query, Request, Response
from fastapi.responses import RedirectResponse

from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Answer, Note, Noted, Work, WorkRoute
from boathouse.control.identities import attempts, pages, roles, service
from boathouse.control.identities.attempts import Attempt
from boathouse.control.identities.claims import Claims
from boathouse.control.identities.provider import Provider
from boathouse.control.identities.schemas import ProviderTold, Ways
from boathouse.control.sessions.endpoints import Secure, set_cookies
from boathouse.control.vault import Vault
from boathouse.kit.errors import BoathouseError, Forbidden, NotFound, Unauthenticated

COOKIE = "boathouse_oidc"
_PLACE = "/api/v1/sessions/oidc"
_START_AGAIN = f"Start again at {_PLACE}/start, in the same browser, and finish within ten minutes."
# The address that the browser comes back by holds the code, which nobody else is to be told.
_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


class PageRoute(WorkRoute):
    """Its problems are pages where a browser asks."""

    def get_route_handler(self) -> Answer:
        answer = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await answer(request)
            except BoathouseError as error:
                # Who keeps the server sees why nobody gets in; the page may be closed by then.
                structlog.get_logger().warning("not logged in", request_id=request.state.request_id, reason=str(error))
                return pages.told(request, error)

        return handle


class ArrivalRoute(PageRoute):
    """A GET that changes something: a browser that is sent here from elsewhere can do no other."""

    safe = frozenset()
    strict = False  # identity providers add words of their own


router = api_router("sessions", WorkRoute)
outgoing = api_router("sessions", PageRoute)
arrivals = api_router("sessions", ArrivalRoute)
Text = Annotated[str, Query(max_length=4000)]


async def _provider(request: Request) -> Provider:
    provider: Provider | None = request.app.state.provider
    if provider is None:
        raise NotFound("No identity provider is set up here.", hint="Log in with name and password.")
    return provider


async def _vault(request: Request) -> Vault:
    return request.app.state.connections.vault


Asked = Annotated[Provider, Depends(_provider)]
Sealing = Annotated[Vault, Depends(_vault)]


@router.get("/sessions/ways", name="session.ways")
async def ways(request: Request) -> Ways:
    """How one can log in here. Told to everybody: a page of logins needs it."""
    provider: Provider | None = request.app.state.provider
    if provider is None:
        return Ways(passwords=True)
    told = ProviderTold(label=provider.settings.label, start=f"{_PLACE}/start")
    return Ways(passwords=provider.settings.passwords, oidc=told)


@outgoing.get("/sessions/oidc/start", name="session.start-oidc", response_class=RedirectResponse, status_code=302)
async def start(
    provider: Asked, vault: Sealing, secure: Secure, following: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """Send the browser to the identity provider."""
    attempt = Attempt.begun(following)
    response = RedirectResponse(await provider.login_address(attempt), 302, _PRIVATE)
    # Lax: the provider sends the browser back by a link, and with Strict it would come without.
    response.set_cookie(
        COOKIE,
        attempt.sealed(vault),
        attempts.SECONDS,
        path=_PLACE,
        httponly=True,
        secure=secure,
        samesite="lax",
    )
    return response


@arrivals.get(
    "/sessions/oidc/callback", name="session.log-in-by-oidc", response_class=RedirectResponse, status_code=302
)
async def callback(
    request: Request,
    work: Work,
    provider: Asked,
    vault: Sealing,
    note: Noted,
    *,
    secure: Secure,
    state: Text = "",
    code: Text = "",
    iss: Text = "",
    error: Text = "",
) -> Response:
    """Where the identity provider sends the browser back to."""
    attempt = _answered(request, vault, provider, state, iss)
    _refuse_failed(code, error)
    # Nothing is asked of the database before the provider has answered, so that nobody waits for both.
    claims = await provider.who_came(code, attempt)
    _noted(note, claims, provider)
    refused = await service.refusal(work, claims, provider.settings)
    if refused is not None:
        # Answered, not raised: what is raised is rolled back, and the refusal is to be noted.
        note.result = refused.code
        return _finished(pages.told(request, refused))
    opened = await service.log_in(work, claims, provider.settings)
    note.user_name, note.target = opened.user.name, f"user {opened.user.name}"
    if roles.is_taken_back(opened.user, claims.groups, provider.settings):
        note.details["stays"] = "platform admin, for nobody else is one"
    response = RedirectResponse(attempt.next, 302, _PRIVATE)
    set_cookies(response, opened, secure=secure)
    return _finished(response)


def _answered(request: Request, vault: Vault, provider: Provider, state: str, issuer: str) -> Attempt:
    """The login of this very browser that the answer belongs to."""
    attempt = attempts.opened(vault, request.cookies.get(COOKIE, ""))
    if attempt is None or not attempt.is_answered_by(state):
        raise Unauthenticated("This browser began no such login, or too long ago.", hint=_START_AGAIN)
    if issuer and issuer != provider.settings.issuer:
        raise Unauthenticated("The answer is of another identity provider.", hint=_START_AGAIN)
    return attempt


def _refuse_failed(code: str, error: str) -> None:
    if error:
        raise Forbidden(f"The identity provider did not let you in: {error[:100]}.", hint=_START_AGAIN)
    if not code:
        raise Unauthenticated("The identity provider sent no code.", hint=_START_AGAIN)


def _noted(note: Note, claims: Claims, provider: Provider) -> None:
    given = roles.role_by_workspace(claims.groups, provider.settings)
    note.user_name, note.target = claims.name, f"user {claims.name}"
    note.details = {
        "issuer": claims.issuer,
        "subject": claims.subject,
        "roles": {workspace: role for workspace, role in given.items() if role is not None},
    }


def _finished(response: Response) -> Response:
    response.delete_cookie(COOKIE, path=_PLACE)
    return response
