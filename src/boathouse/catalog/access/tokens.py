"""Tokens: signed, so that nothing is kept about them; good on every server of the same store until they expire."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jwt

from boathouse.catalog.access.signing_keys import SigningKey
from boathouse.catalog.errors import NotAuthorized

# The only algorithm: what a token's own header says about it is not believed.
_ALGORITHM = "HS256"
_ISSUER = "boathouse-catalog"
_CLAIMS = ["iss", "sub", "exp", "iat", "pid", "gen"]


@dataclass(frozen=True)
class Claims:
    name: str
    principal_id: str
    secret_number: int
    """Which of the principal's secrets the token goes back to."""
    expires: int
    warehouse: str | None = None


class UnknownKey(NotAuthorized):
    """Signed with a key that is not among those given: another store's, or one newer than was looked at."""


def issue(key: SigningKey, claims: Claims, now: float) -> str:
    payload: dict[str, Any] = {
        "iss": _ISSUER,
        "sub": claims.name,
        "pid": claims.principal_id,
        "gen": claims.secret_number,
        "iat": int(now),
        "exp": claims.expires,
    }
    if claims.warehouse is not None:
        payload["wh"] = claims.warehouse
    return jwt.encode(payload, key.secret, algorithm=_ALGORITHM, headers={"kid": key.id})


def verify(
    token: str, keys: Sequence[SigningKey], clock: Callable[[], float] = time.time, *, expired_too: bool = False
) -> Claims:
    """What the token says, if it is ours; raises NotAuthorized. `expired_too` for one that is brought to be renewed."""
    key = _key_of(token, keys)
    try:
        payload = jwt.decode(
            token,
            key.secret,
            algorithms=[_ALGORITHM],
            issuer=_ISSUER,
            # Time is ours to judge, by a clock that tests can move.
            options={"require": _CLAIMS, "verify_exp": False, "verify_iat": False},
        )
        claims = Claims(payload["sub"], payload["pid"], payload["gen"], payload["exp"], payload.get("wh"))
    except jwt.InvalidTokenError:
        raise NotAuthorized("Not authorized: the token is not one of this catalog's") from None
    if not expired_too and clock() >= claims.expires:
        raise NotAuthorized("Not authorized: the token has expired")
    return claims


def _key_of(token: str, keys: Sequence[SigningKey]) -> SigningKey:
    try:
        asked = jwt.get_unverified_header(token).get("kid")
    except jwt.InvalidTokenError:
        raise NotAuthorized("Not authorized: the token is not one of this catalog's") from None
    for key in keys:
        if key.id == asked:
            return key
    raise UnknownKey("Not authorized: the token is signed with a key that this catalog does not have, or no longer")
