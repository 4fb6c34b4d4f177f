"""The identity provider: where it sends people, and who it says they are."""

import base64
import time
from typing import Any
from urllib.parse import quote, urlencode

from pydantic import SecretStr

from boathouse.control.identities import id_tokens
from boathouse.control.identities.attempts import Attempt
from boathouse.control.identities.calls import call, mapping_at, mapping_in, refusal
from boathouse.control.identities.claims import Claims, claims_in, says_groups
from boathouse.control.identities.description import Description, checked
from boathouse.control.identities.settings import OidcSettings

# Providers change their addresses a few times a year; a key that is not known is looked for at once.
_DESCRIPTION_IS_GOOD_FOR = 3600
_WELL_KNOWN = "/.well-known/openid-configuration"


class Provider:
    def __init__(self, settings: OidcSettings) -> None:
        self.settings = settings
        self._secret: SecretStr | None = settings.client_secret.read() if settings.client_secret else None
        self._description: Description | None = None
        self._described_at = 0.0
        self._keys: list[dict[str, Any]] = []

    async def login_address(self, attempt: Attempt) -> str:
        """Where the browser is sent."""
        address = (await self._described()).authorization_endpoint
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
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def who_came(self, code: str, attempt: Attempt) -> Claims:
        """Who the browser came back as."""
        settings, tokens = self.settings, await self._exchanged(code, attempt.verifier)
        token = tokens.get("id_token")
        if not isinstance(token, str):
            raise id_tokens.distrusted("there is no ID token in it")
        keys = await self._keys_for(token)
        told = id_tokens.verified(
            token, keys, issuer=settings.issuer, client_id=settings.client_id, nonce=attempt.nonce
        )
        if not says_groups(told, settings.groups_claim):
            told = {**await self._user_info(str(tokens.get("access_token", "")), told["sub"]), **told}
        return claims_in(told, settings)

    async def _described(self) -> Description:
        if self._description is None or time.monotonic() - self._described_at > _DESCRIPTION_IS_GOOD_FOR:
            issuer = self.settings.issuer
            self._description = checked(await mapping_at(issuer.rstrip("/") + _WELL_KNOWN), issuer)
            self._described_at = time.monotonic()
        return self._description

    async def _exchanged(self, code: str, verifier: str) -> dict[str, Any]:
        description = await self._described()
        headers, login = self._login(posted=description.wants_secret_posted)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings.redirect_uri,
            "code_verifier": verifier,
            **login,
        }
        response = await call("POST", description.token_endpoint, data=form, headers=headers)
        if response.status_code in {400, 401, 403}:
            raise refusal(response)
        return mapping_in(response)

    def _login(self, *, posted: bool) -> tuple[dict[str, str], dict[str, str]]:
        """Our own, as headers and as fields of the form."""
        client = self.settings.client_id
        if self._secret is None:
            return {}, {"client_id": client}
        secret = self._secret.get_secret_value()
        if posted:
            return {}, {"client_id": client, "client_secret": secret}
        # Both are quoted before they are joined (RFC 6749, 2.3.1): a secret may hold a colon.
        pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}, {}

    async def _keys_for(self, token: str) -> list[dict[str, Any]]:
        """Asked for again when the token was signed with one that is not known: providers change them."""
        wanted = id_tokens.key_id(token)
        if not self._keys or wanted not in {key.get("kid") for key in self._keys}:
            found = (await mapping_at((await self._described()).jwks_uri)).get("keys")
            self._keys = [key for key in found if isinstance(key, dict)] if isinstance(found, list) else []
        return self._keys

    async def _user_info(self, access_token: str, subject: str) -> dict[str, Any]:
        """Some providers say the groups only there."""
        address = (await self._described()).userinfo_endpoint
        if address is None or not access_token:
            return {}
        told = await mapping_at(address, headers={"Authorization": f"Bearer {access_token}"})
        if told.get("sub") != subject:
            raise id_tokens.distrusted("its answers are about two people")
        return told
