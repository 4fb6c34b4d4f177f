"""An HTTP server as a process of its own: one way to listen, to log and to leave, for every part that answers HTTP."""

import errno
import json
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, MutableMapping, Sequence
from datetime import UTC, datetime
from ipaddress import ip_network
from types import FrameType
from typing import Any

import orjson
import structlog
import uvicorn

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.whole_answers import WholeAnswers

# What was accepted is finished before the process ends; nothing that is asked of our servers takes longer.
_GRACE_SECONDS = 20
_THIS_MACHINE = ("127.0.0.1", "::1")


class DrainingServer(uvicorn.Server):
    """When told to stop it is no longer ready, but answers for some time yet, and closes each connection with its answer.

    Balancers and clients have gone elsewhere by the time the port is closed, so that no request is on its way to it. Told
    twice, it stops at once; what was accepted is finished either way.
    """

    def __init__(self, config: uvicorn.Config, drain_seconds: float, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._drain_seconds = drain_seconds
        self._announce = announce
        self._ends: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._ends is None and self._drain_seconds > 0 and sig == signal.SIGTERM:
            self._announce()
            self._ends = time.monotonic() + self._drain_seconds
            return
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        if self._ends is not None and time.monotonic() >= self._ends:
            self.should_exit = True
        return await super().on_tick(counter)


def serve_app(
    app: Any, listening: socket.socket, drain_seconds: float, *, proxied: bool = True, proxies: Sequence[str] = ()
) -> None:
    """Serve until SIGTERM or SIGINT. `app.state.draining` is set once it was told to stop.

    `proxied` is whether a proxy on this machine is believed who asks, and by which scheme; `proxies` are others that are.
    """
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=WholeAnswers,
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=proxied,
        forwarded_allow_ips=[*_THIS_MACHINE, *proxies] if proxies else None,
        # Clients keep connections in pools; longer than theirs, so that it is never we who close one in use.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    # uvicorn raises the signal again once it has stopped; stopping when told is no failure.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    host, port = listening.getsockname()[:2]
    structlog.get_logger().info("serving", host=host, port=port)
    DrainingServer(config, drain_seconds, lambda: _announce_stop(app)).run(sockets=[listening])


def configure_logging() -> None:
    """Structured lines on standard output; uvicorn's own only when they warn of something."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    structlog.configure(
        processors=[_line],
        logger_factory=_Journal,
        cache_logger_on_first_use=True,
    )


class _Journal:
    """Lines on standard output. When nobody reads them any more they are lost, and whoever asks is answered all the same."""

    def __init__(self, *_: object) -> None:
        self._stream = sys.stdout.buffer

    def msg(self, message: bytes) -> None:
        try:
            self._stream.write(message + b"\n")
            self._stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)

    debug = info = warning = error = critical = exception = msg


def _line(logger: Any, method: str, event: MutableMapping[str, Any]) -> bytes:
    """An event as JSON: one step for what the library takes four for, as there is a line for every request."""
    if "exc_info" in event:
        event = structlog.processors.format_exc_info(logger, method, event)
    told = {**event, "level": method, "timestamp": f"{datetime.now(UTC).isoformat()[:-6]}Z"}
    try:
        return orjson.dumps(told, default=repr)
    except orjson.JSONEncodeError:
        # What is no text or no number that orjson knows is rare, and told by the slower library.
        return json.dumps(told, default=repr).encode()


def listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        elsewhere = isinstance(error, socket.gaierror) or getattr(error, "errno", None) == errno.EADDRNOTAVAIL
        hint = "Give a --host that is this machine's." if elsewhere else "Give another --port, from 0 to 65535."
        raise ConfigurationError(
            f"Cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}.", hint=hint
        ) from error
    return listening


def checked_proxies(given: Sequence[str]) -> tuple[str, ...]:
    """Addresses or networks, such as 10.0.0.0/8. What is none would be believed by nobody, or by everybody."""
    for one in given:
        try:
            ip_network(one)
        except ValueError as error:
            raise ConfigurationError(
                f"{one} is no address of a proxy: {error}.", hint="Give one such as 10.0.0.7, or 10.0.0.0/8."
            ) from error
    return tuple(given)


def _announce_stop(app: Any) -> None:
    app.state.draining = True
