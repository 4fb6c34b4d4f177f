"""A login that has begun: what the browser keeps, sealed, until it comes back from the provider.

Kept by the browser and not by the database, so that nobody can fill that by asking, any server can finish what another
began, and only the browser that began can finish.
"""

import base64
import secrets
import time
from dataclasses import asdict, dataclass
from hashlib import sha256

import orjson

from boathouse.control.http.own_path import own_path
from boathouse.control.vault import Vault
from boathouse.kit.errors import ConfigurationError

SECONDS = 600
"""To log in at the provider, second factor and all."""
_BELONGS_TO = "login by an identity provider"


@dataclass(frozen=True)
class Attempt:
    state: str
    nonce: str
    verifier: str
    next: str
    ends_at: int

    @classmethod
    def begun(cls, following: str) -> "Attempt":
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return cls(state, nonce, verifier, own_path(following), int(time.time()) + SECONDS)

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier (PKCE, S256)."""
        return base64.urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()

    def is_answered_by(self, state: str) -> bool:
        return secrets.compare_digest(self.state.encode(), state.encode()) and time.time() < self.ends_at

    def sealed(self, vault: Vault) -> str:
        kept = vault.seal(orjson.dumps(asdict(self)).decode(), _BELONGS_TO)
        return base64.urlsafe_b64encode(orjson.dumps(kept)).decode()


def opened(vault: Vault, cookie: str) -> Attempt | None:
    """None for what we did not seal."""
    try:
        kept = orjson.loads(base64.urlsafe_b64decode(cookie.encode()))
        return Attempt(**orjson.loads(vault.open(kept, _BELONGS_TO)))
    except (ValueError, KeyError, TypeError, ConfigurationError):
        return None
