# /// script
# requires-python = ">=3.11"
# dependencies = ["canaille[front,oidc]==0.3.6"]
# ///
"""Canaille, an OpenID Connect provider that people run, with users and groups in memory.

A program with an environment of its own, which `uv run --script` makes from the lock beside it: its package would put a
folder `tests` before ours. Told on standard input, as lines of JSON: first the client and where to listen, then users.
"""

# pyright: reportMissingImports=false
import json
import sys
from datetime import UTC, datetime
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from canaille.backends.memory.backend import MemoryBackend
from joserfc.jwk import JWKRegistry


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing: what failed is told by the test."""


def find_codes_by_all_criteria() -> None:
    """Its memory finds what fits any of the criteria: a code that nobody took up could stand for another's."""
    find = MemoryBackend.do_query

    def do_query(self: Any, model: Any, *args: Any, **criteria: Any) -> list[Any]:
        found = find(self, model, *args, **criteria)
        if model is not models.AuthorizationCode:
            return found
        return [one for one in found if all(getattr(one, name) == wanted for name, wanted in criteria.items())]

    MemoryBackend.do_query = do_query


def configuration(port: int) -> dict[str, Any]:
    key = JWKRegistry.generate_key("RSA", 2048)
    key.ensure_kid()
    return {
        "SECRET_KEY": "only for tests",
        "PREFERRED_URL_SCHEME": "http",
        "SERVER_NAME": f"localhost:{port}",
        "CANAILLE": {
            "DATABASE": "memory",
            "JAVASCRIPT": False,
            "ACL": {"DEFAULT": {"PERMISSIONS": ["use_oidc"]}},
        },
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)], "REQUIRE_NONCE": True},
    }


def add_client(told: dict[str, Any]) -> None:
    client = models.Client(
        client_id=told["id"],
        client_secret=told["secret"],
        client_name="Boathouse",
        # Of a host that is trusted: nobody is asked whether it may know who they are.
        client_uri="http://127.0.0.1",
        redirect_uris=[told["redirect_uri"]],
        grant_types=["authorization_code"],
        response_types=["code"],
        scope=["openid", "profile", "email", "groups"],
        token_endpoint_auth_method="client_secret_basic",
        client_id_issued_at=datetime.now(UTC),
    )
    Backend.instance.save(client)
    client.audience = [client]
    Backend.instance.save(client)


def set_users(groups_of: dict[str, list[str]], password: str) -> None:
    people = {name: _user(name, password) for name in groups_of}
    for group in sorted({group for groups in groups_of.values() for group in groups} | _known_groups()):
        known = Backend.instance.get(models.Group, display_name=group) or models.Group(display_name=group)
        known.members = [people[name] for name, groups in groups_of.items() if group in groups]
        Backend.instance.save(known)


def _known_groups() -> set[str]:
    return {group.display_name for group in Backend.instance.query(models.Group)}


def _user(name: str, password: str) -> Any:
    user = Backend.instance.get(models.User, user_name=name) or models.User(
        user_name=name,
        family_name=name.title(),
        formatted_name=f"{name.title()} of the provider",
        emails=[f"{name}@example.org"],
        password=password,
    )
    Backend.instance.save(user)
    return user


def serve_until_told(port: int, app: Any) -> Server:
    server = make_server("localhost", port, app, Server, Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    """Each line on standard input is obeyed and answered; at its end the program ends."""
    first = json.loads(sys.stdin.readline())
    find_codes_by_all_criteria()
    app = create_app(config=configuration(first["port"]))
    with app.app_context():
        add_client(first["client"])
        server = serve_until_told(first["port"], app)
        print("done", flush=True)  # noqa: T201 - it is how the test is answered
        for line in sys.stdin:
            set_users(json.loads(line)["users"], first["password"])
            print("done", flush=True)  # noqa: T201
    server.shutdown()


if __name__ == "__main__":
    main()
