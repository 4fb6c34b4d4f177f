"""Where clients get their tokens: OAuth2's client credentials, and the exchange of a token for a fresh one.

A refusal has the form that OAuth2 gives it, not the catalog's. Secrets come in the body or in a Basic header, never in the
address, which is logged.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.client_secrets import is_secret
from boathouse.catalog.access.gatekeeper import Entitlement, Gatekeeper
from boathouse.catalog.access.principal import is_name
from boathouse.catalog.api.auth import Caller
from boathouse.catalog.api.oauth_requests import Form, credentials_of, form_of, scope_of
from boathouse.catalog.api.operations import ANYBODY, Operation
from boathouse.catalog.api.requests import note
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.errors import NotAuthorized, TokenRefused, TooManyLogins

PATH = "/v1/oauth/tokens"
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - the name of a kind of token
_OURS = {_ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt"}
_NEVER_KEPT = {"Cache-Control": "no-store"}


async def get_token(request: Request) -> Response:
    try:
        body = await _token(request)
    except TokenRefused as refusal:
        note(request, "error", refusal)
        challenge = {"WWW-Authenticate": 'Basic realm="boathouse"'} if refusal.status == 401 else {}
        return json_response(refusal.body(), refusal.status, challenge | _NEVER_KEPT)
    except TooManyLogins as refusal:
        note(request, "error", refusal)
        told = {"error": "temporarily_unavailable", "error_description": f"{refusal} {refusal.hint}"}
        return json_response(told, refusal.http_status, {"Retry-After": "1"} | _NEVER_KEPT)
    return json_response(body, headers=_NEVER_KEPT)


async def _token(request: Request) -> dict[str, Any]:
    gatekeeper: Gatekeeper | None = request.app.state.gatekeeper
    if gatekeeper is None:
        raise TokenRefused("unsupported_grant_type", "this catalog issues no tokens: it runs without --auth oauth")
    form = await form_of(request)
    grant = _GRANT_TYPES.get(form.get("grant_type", ""))
    if grant is None:
        raise TokenRefused("unsupported_grant_type", f"grant_type must be one of {', '.join(_GRANT_TYPES)}")
    renewal = await grant(request, form, gatekeeper)
    note(request, "caller", Caller(renewal.principal.name))
    return {
        "access_token": await gatekeeper.issue(renewal),
        "token_type": "bearer",
        "expires_in": gatekeeper.lifetime,
        "issued_token_type": _ACCESS_TOKEN,
        "scope": f"warehouse:{renewal.warehouse}" if renewal.warehouse else "catalog",
    }


async def _by_credentials(request: Request, form: Form, gatekeeper: Gatekeeper) -> Entitlement:
    given = credentials_of(request, form)
    if given is None:
        raise TokenRefused("invalid_client", "client_id and client_secret are needed")
    name, secret = given
    _note_claim(request, name)
    found = await gatekeeper.principals.authenticate(name, secret, _address(request))
    if found is None:
        # Not which of the two is wrong.
        raise TokenRefused("invalid_client", "the principal is not known, or the secret is not its own")
    principal, number = found
    return Entitlement(principal, number, scope_of(form))


def _note_claim(request: Request, name: str) -> None:
    """Who the caller says to be, for the log: unless it may be a secret that was put in the wrong place."""
    if is_name(name) and not is_secret(name):
        note(request, "claimed_principal", name)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


async def _by_exchange(request: Request, form: Form, gatekeeper: Gatekeeper) -> Entitlement:
    """A fresh token for one that ends. Beside the client's own secret, one that has ended will do: Java's client sends it."""
    if form.get("subject_token_type") not in _OURS or "actor_token" in form:
        raise TokenRefused("invalid_request", f"only this catalog's own tokens are exchanged, as {_ACCESS_TOKEN}")
    token, asked = form.get("subject_token", ""), scope_of(form)
    try:
        if credentials_of(request, form) is None:
            renewal = await gatekeeper.renewal(token)
        else:
            client = await _by_credentials(request, form, gatekeeper)
            renewal = await gatekeeper.renewal_for(client, token)
    except NotAuthorized as error:
        raise TokenRefused("invalid_grant", str(error)) from error
    if asked and renewal.warehouse not in {None, asked}:
        raise TokenRefused("invalid_scope", f"the token is for warehouse {renewal.warehouse} only")
    return Entitlement(renewal.principal, renewal.secret_number, asked or renewal.warehouse)


_GRANT_TYPES: dict[str, Callable[[Request, Form, Gatekeeper], Awaitable[Entitlement]]] = {
    "client_credentials": _by_credentials,
    "urn:ietf:params:oauth:grant-type:token-exchange": _by_exchange,
}

ROUTES = [Operation("POST", PATH, get_token, ANYBODY, reads=True)]
