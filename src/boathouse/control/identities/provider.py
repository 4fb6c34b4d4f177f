"""The identity provider, asked over HTTP: its description, its keys, and who somebody is."""

import time
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from pydantic import BaseModel, SecretStr, ValidationError

from boathouse.control.identities import id_tokens
from boathouse.control.identities.attempts import Attempt
from boathouse.control.identities.claims import Claims, claims_in, says_groups
from boathouse.control.identities.settings import OidcSettings, is_safe_address
from boathouse.kit.errors import Unauthenticated, Unavailable

_SECONDS = 10
# Providers change keys and addresses a few times a year; a key that is not known is looked for at once.
_DESCRIPTION_IS_GOOD_FOR = 3600
_WELL_KNOWN = "/.well-known/openid-configuration"


class Description(BaseModel):
    """What we need of a provider's discovery document."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]

    def addresses(self) -> list[str]:
        all_of_them = (self.authorization_endpoint, self.token_endpoint, self.jwks_uri, self.userinfo_endpoint)
        return [address for address in all_of_them if address is not None]


class Provider:
    def __init__(self, settings: OidcSettings) -> None:
        self.settings = settings
        self._secret: SecretStr | None = settings.client_secret.read() if settings.client_secret else None
        self._description: Description | None = None
        self._described_at = 0.0
        self._keys: list[dict[str, Any]] = []

    async def login_address(self, attempt: Attempt) -> str:
        """Where the browser is sent."""
        description = await self._described()
        query = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": self.settings.redirect_uri,
            "scope": " ".join(self.settings.scopes),
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        joint = "&" if "?" in description.authorization_endpoint else "?"
        return f"{description.authorization_endpoint}{joint}{urlencode(query)}"

    async def who_came(self, code: str, attempt: Attempt) -> Claims:
        """Who the browser came back as."""
        tokens = await self._exchanged(code, attempt.verifier)
        token = tokens.get("id_token")
        if not isinstance(token, str):
            raise id_tokens.distrusted("there is no ID token in it")
        keys = await self._keys_for(token)
        settings = self.settings
        told = id_tokens.verified(
            token, keys, issuer=settings.issuer, client_id=settings.client_id, nonce=attempt.nonce
        )
        if not says_groups(told, settings.groups_claim):
            told = {**await self._user_info(str(tokens.get("access_token", "")), told["sub"]), **told}
        return claims_in(told, settings)

    async def _described(self) -> Description:
        if self._description is None or time.monotonic() - self._described_at > _DESCRIPTION_IS_GOOD_FOR:
            self._description = self._checked(await self._json("GET", self.settings.issuer.rstrip("/") + _WELL_KNOWN))
            self._described_at = time.monotonic()
        return self._description

    def _checked(self, told: dict[str, Any]) -> Description:
        try:
            description = Description.model_validate(told)
        except ValidationError as error:
            missing = ", ".join(str(one["loc"][0]) for one in error.errors())
            raise _unusable(f"its description lacks {missing}") from error
        if description.issuer != self.settings.issuer:
            raise _unusable(f"it calls itself {description.issuer}, not {self.settings.issuer}")
        if not all(map(is_safe_address, description.addresses())):
            raise _unusable("not all its addresses are https")
        return description

    async def _exchanged(self, code: str, verifier: str) -> dict[str, Any]:
        description = await self._described()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings.redirect_uri,
            "code_verifier": verifier,
        }
        login = self._login(description.token_endpoint_auth_methods_supported)
        response = await self._called(
            "POST", description.token_endpoint, data={**form, **login.form}, headers=login.headers
        )
        if response.status_code in {400, 401, 403}:
            raise _refusal(response)
        return _mapping(response)

    def _login(self, methods: list[str]) -> "_Login":
        client, secret = self.settings.client_id, self._secret
        if secret is None:
            return _Login(form={"client_id": client})
        if "client_secret_basic" not in methods and "client_secret_post" in methods:
            return _Login(form={"client_id": client, "client_secret": secret.get_secret_value()})
        # Both are quoted before they are joined (RFC 6749, 2.3.1): a secret may hold a colon.
        basic = httpx.BasicAuth(quote(client, safe=""), quote(secret.get_secret_value(), safe=""))
        return _Login(headers={"Authorization": basic._auth_header})  # noqa: SLF001 - as the library builds it

    async def _keys_for(self, token: str) -> list[dict[str, Any]]:
        """Asked for again when the token was signed with one that is not known: providers change them."""
        wanted = id_tokens.key_id(token)
        if not self._keys or wanted not in {key.get("kid") for key in self._keys}:
            told = await self._json("GET", (await self._described()).jwks_uri)
            found = told.get("keys")
            self._keys = [key for key in found if isinstance(key, dict)] if isinstance(found, list) else []
        return self._keys

    async def _user_info(self, access_token: str, subject: str) -> dict[str, Any]:
        """Some providers say the groups only there."""
        address = (await self._described()).userinfo_endpoint
        if address is None or not access_token:
            return {}
        told = await self._json("GET", address, headers={"Authorization": f"Bearer {access_token}"})
        if told.get("sub") != subject:
            raise id_tokens.distrusted("its answers are about two people")
        return told

    async def _json(self, method: str, address: str, **options: Any) -> dict[str, Any]:
        return _mapping(await self._called(method, address, **options))

    async def _called(self, method: str, address: str, **options: Any) -> httpx.Response:
        try:
            async with httpx.AsyncClient(timeout=_SECONDS) as client:
                return await client.request(method, address, **options)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unusable(f"{address} is not answered ({error or type(error).__name__})") from error


class _Login(BaseModel):
    form: dict[str, str] = {}
    headers: dict[str, str] = {}


def _mapping(response: httpx.Response) -> dict[str, Any]:
    try:
        told = response.json() if response.is_success else None
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise _unusable(f"{response.url.copy_with(query=None)} is answered with {response.status_code}")
    return told


def _refusal(response: httpx.Response) -> Exception:
    try:
        error = str(response.json()["error"])[:100]
    except (ValueError, KeyError, TypeError):
        error = f"status {response.status_code}"
    if error == "invalid_grant":
        return Unauthenticated("The identity provider no longer knows of this login.", hint="Start again.")
    return _unusable(f"it refuses the control plane's own login ({error}): client id and secret should be compared")


def _unusable(reason: str) -> Unavailable:
    return Unavailable(
        f"The identity provider cannot be used: {reason}.",
        hint="Try again in a minute. If it stays so, ask a platform admin.",
    )
