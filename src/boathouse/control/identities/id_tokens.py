"""Whether an ID token is the provider's, for us, for this login, and still good."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import jwt

from boathouse.kit.errors import Unauthenticated

# Signed with a key that only the provider has: never unsigned, never with a secret that clients share.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
# Clocks differ.
_LEEWAY_SECONDS = 60
_LONGEST_SUBJECT = 255
Keys = Sequence[Mapping[str, Any]]


def key_id(token: str) -> str | None:
    try:
        return jwt.get_unverified_header(token).get("kid")
    except jwt.PyJWTError as error:
        raise distrusted(f"its ID token cannot be read ({error})") from error


def verified(token: str, keys: Keys, *, issuer: str, client_id: str, nonce: str) -> dict[str, Any]:
    """What it says. `keys` are the provider's, as its JWKS has them."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            _key(token, keys),
            algorithms=list(ALGORITHMS),
            audience=client_id,
            issuer=issuer,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except jwt.PyJWTError as error:
        raise distrusted(f"its ID token does not hold ({error})") from error
    _refuse_another_party(claims, client_id)
    if not secrets.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        raise distrusted("its ID token is of another login")
    if not claims["sub"] or len(claims["sub"]) > _LONGEST_SUBJECT:
        raise distrusted("its ID token does not say who it is about")
    return claims


def distrusted(reason: str) -> Unauthenticated:
    return Unauthenticated(
        f"What the identity provider answered cannot be trusted: {reason}.",
        hint="Start again. If it stays so, a platform admin should compare issuer, client id and both clocks.",
    )


def _key(token: str, keys: Keys) -> jwt.PyJWK:
    header = jwt.get_unverified_header(token)
    algorithm, wanted = header.get("alg"), header.get("kid")
    if algorithm not in ALGORITHMS:
        raise distrusted(f"its ID token is signed by {algorithm!r}")
    signing = [key for key in keys if key.get("use", "sig") == "sig" and key.get("alg", algorithm) == algorithm]
    fitting = [key for key in signing if wanted is None or key.get("kid") == wanted]
    if len(fitting) != 1:
        raise distrusted("none of its keys signed the ID token")
    return jwt.PyJWK(dict(fitting[0]), algorithm=algorithm)


def _refuse_another_party(claims: Mapping[str, Any], client_id: str) -> None:
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    party = claims.get("azp")
    if (party is None and len(audience) > 1) or (party is not None and party != client_id):
        raise distrusted("its ID token was made for another application")
