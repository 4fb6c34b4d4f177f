"""The catalog as a process: opened from its settings, served until it is told to stop."""

import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
import uvicorn
from starlette.applications import Starlette

from boathouse.catalog.api.app import create_app
from boathouse.catalog.api.auth import Authenticator, NoAuthentication, StaticToken
from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.store import open_store
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.objects import open_store as open_objects

TOKEN_VARIABLE = "BOATHOUSE_CATALOG_TOKEN"  # noqa: S105 - the name of the variable, not the token
# What was accepted is finished before the process ends; nothing that is asked of a catalog takes longer.
_GRACE_SECONDS = 20


@dataclass(frozen=True)
class ServerOptions:
    host: str
    port: int
    store: str
    warehouses: Sequence[str]
    """Each as NAME=URL."""
    auth: str = "token"


def serve(options: ServerOptions, environment: Mapping[str, str] = os.environ) -> None:
    """Serve until SIGTERM or SIGINT."""
    configure_logging()
    # Before the store is opened: a second server on the same port touches nothing.
    listening = _listen(options.host, options.port)
    config = uvicorn.Config(
        open_app(options, environment),
        loop="uvloop",
        http="httptools",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        # Engines keep connections in pools; longer than theirs, so that it is never we who close one in use.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    # uvicorn raises the signal again once it has stopped; stopping when told is no failure.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    structlog.get_logger().info("serving", host=options.host, port=listening.getsockname()[1])
    uvicorn.Server(config).run(sockets=[listening])


def open_app(options: ServerOptions, environment: Mapping[str, str]) -> Starlette:
    authenticator = _authenticator(options.auth, environment)
    warehouses = [_warehouse(text, environment) for text in options.warehouses]
    if not warehouses:
        raise ConfigurationError("No warehouse is given.", hint="Add --warehouse NAME=URL.")
    store = open_store(options.store)
    catalogs = {warehouse.name: Catalog.over(store, warehouse) for warehouse in warehouses}
    return create_app(store, catalogs, authenticator)


def configure_logging() -> None:
    """Structured lines on standard output; uvicorn's own only when they warn of something."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}.", hint="Give another --port."
        ) from error
    return listening


def _authenticator(kind: str, environment: Mapping[str, str]) -> Authenticator:
    if kind == "none":
        return NoAuthentication()
    if kind != "token":
        raise ConfigurationError(f"{kind!r} is not a way to authenticate.", hint="Use --auth token or --auth none.")
    token = environment.get(TOKEN_VARIABLE)
    if not token:
        raise ConfigurationError(
            f"{TOKEN_VARIABLE} is not set.", hint="Set it to the token clients bring, or pass --auth none."
        )
    return StaticToken(token)


def _warehouse(text: str, environment: Mapping[str, str]) -> Warehouse:
    name, _, url = text.partition("=")
    if not name.isidentifier() or not url:
        raise ConfigurationError(
            f"{text!r} is not a warehouse.", hint="Write it as NAME=URL, such as lake=s3://bucket/prefix."
        )
    objects = open_objects(
        url,
        endpoint=environment.get("AWS_ENDPOINT_URL"),
        region=environment.get("AWS_REGION"),
        access_key=environment.get("AWS_ACCESS_KEY_ID"),
        secret_key=environment.get("AWS_SECRET_ACCESS_KEY"),
    )
    return Warehouse.at(name, url, objects)
