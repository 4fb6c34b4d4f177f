"""A provider that says whatever a test has it say: what a real one never would, and what real ones differ in."""

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from tests.behaviour.control.spoken_protocols import Answer, Spoken

Key = rsa.RSAPrivateKey
CLIENT = "boathouse"


def new_key() -> Key:
    return rsa.generate_private_key(65537, 2048)


# Made once: it takes longer than all the rest of a login.
_KEY = new_key()


class LyingProvider:
    """`token` makes the ID token of what it would rightly say; `described` changes the discovery document."""

    def __init__(self) -> None:
        self.issuer = ""
        self.nonce = ""
        self.key, self.key_id = _KEY, "first"
        self.token: Callable[[dict[str, Any]], str] = self.signed
        self.described: dict[str, Any] = {}
        self.user_info: dict[str, Any] = {"sub": "s-1"}
        self.forms: list[dict[str, str]] = []
        """What was posted for a token."""

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": self.key_id})

    def rightly(self) -> dict[str, Any]:
        now = int(time.time())
        return {"iss": self.issuer, "sub": "s-1", "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": self.nonce}

    def description(self) -> dict[str, Any]:
        own = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/me",
        }
        return {**own, **self.described}

    def keys(self) -> dict[str, Any]:
        public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [{**public, "kid": self.key_id, "use": "sig"}]}

    def answer(self, path: str, body: str) -> dict[str, Any]:
        if path == "/token":
            self.forms.append({name: values[0] for name, values in parse_qs(body).items()})
            return {"id_token": self.token(self.rightly()), "access_token": "a", "token_type": "Bearer"}
        asked: dict[str, Callable[[], dict[str, Any]]] = {
            "/.well-known/openid-configuration": self.description,
            "/jwks": self.keys,
            "/me": lambda: self.user_info,
        }
        return asked[path]()


@contextmanager
def lying_provider() -> Generator[LyingProvider]:
    provider = LyingProvider()

    class Saying(Spoken):
        told: ClassVar[LyingProvider] = provider

        def answer(self, method: str, path: str, body: str) -> Answer:
            return 200, {"Content-Type": "application/json"}, json.dumps(self.told.answer(path, body))

    server = ThreadingHTTPServer(("127.0.0.1", 0), Saying)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
