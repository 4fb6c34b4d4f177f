"""The catalog as a process: opened from its settings, served until it is told to stop."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from starlette.applications import Starlette

from boathouse.catalog.access.gatekeeper import Gatekeeper
from boathouse.catalog.access.principals import Principals
from boathouse.catalog.access.signing_keys import SigningKeys
from boathouse.catalog.api.app import create_app
from boathouse.catalog.api.auth import Authenticator, IssuedTokens, NoAuthentication, StaticToken
from boathouse.catalog.backup import WholeStore
from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.storage.warehouses import open_warehouses
from boathouse.catalog.store import Store, open_store, sqlite_file
from boathouse.catalog.telemetry.store import ObservedStore
from boathouse.catalog.telemetry.tracing import start_tracing, stop_tracing
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.serving import configure_logging, listen, serve_app

TOKEN_VARIABLE = "BOATHOUSE_CATALOG_TOKEN"  # noqa: S105 - the name of the variable, not the token


@dataclass(frozen=True)
class ServerOptions:
    host: str
    port: int
    store: str
    warehouses: Sequence[str]
    """Each as NAME=URL."""
    auth: str = "token"
    token_lifetime: int = 3600
    """Seconds, for the tokens that are issued with `oauth`."""
    open_metrics: bool = False
    """Whether /metrics asks nobody for a token; callers on the same machine it never asks."""
    drain_seconds: float = 1.0
    """How long it answers, and is not ready, after it was told to stop."""
    config: Path | None = None
    """A file that says more about warehouses: see `catalog.storage.warehouses`."""


def serve(options: ServerOptions, environment: Mapping[str, str] = os.environ) -> None:
    """Serve until SIGTERM or SIGINT."""
    configure_logging()
    # Before the store is opened: a second server on the same port touches nothing.
    listening = listen(options.host, options.port)
    start_tracing(environment)
    # It asks nowhere from which address a request came, but whether it came through a proxy.
    serve_app(open_app(options, environment), listening, options.drain_seconds, proxied=False)
    stop_tracing()


def open_app(options: ServerOptions, environment: Mapping[str, str]) -> Starlette:
    warehouses = open_warehouses(options.warehouses, options.config, environment)
    # Before the store is opened: what is missing is said without touching anything.
    static = _static_authenticator(options.auth, environment)
    store = ObservedStore(WholeStore(open_store(options.store, environment)))
    if file := sqlite_file(options.store):
        structlog.get_logger().info("store opened", file=str(file))
    catalogs = {warehouse.name: Catalog.over(store, warehouse) for warehouse in warehouses}
    authenticator = static or _issued_tokens(store, options.token_lifetime)
    return create_app(store, catalogs, authenticator, open_metrics=options.open_metrics)


def _static_authenticator(kind: str, environment: Mapping[str, str]) -> Authenticator | None:
    """How callers are known, if that takes no store."""
    if kind == "none":
        return NoAuthentication()
    if kind == "oauth":
        return None
    if kind != "token":
        raise ConfigurationError(
            f"{kind!r} is not a way to authenticate.", hint="Use --auth oauth, --auth token or --auth none."
        )
    token = environment.get(TOKEN_VARIABLE)
    if not token:
        raise ConfigurationError(
            f"{TOKEN_VARIABLE} is not set.", hint="Set it to the token clients bring, or pass --auth oauth or none."
        )
    return StaticToken(token)


def _issued_tokens(store: Store, lifetime: int) -> Authenticator:
    return IssuedTokens(Gatekeeper(Principals(store), SigningKeys(store), lifetime))
