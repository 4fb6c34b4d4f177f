"""Metrics for Prometheus. They tell how much is done, never to what or by whom.

Callers on the same machine need no token, nor does anybody where the server was told so; others bring one as for all else.
"""

import asyncio
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.api.operations import ANYBODY, Operation
from boathouse.catalog.store import Store
from boathouse.catalog.telemetry import metrics

_HEALTH_SECONDS = 2.0


async def show_metrics(request: Request) -> Response:
    if not (request.app.state.open_metrics or _from_this_machine(request)):
        await request.app.state.authenticator.authenticate(request.headers.get("authorization"))
    await _ask_store(request.app.state.store)
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_LATEST)


def _from_this_machine(request: Request) -> bool:
    # Who comes through a proxy on this machine is not on it.
    if request.client is None or "forwarded" in request.headers or "x-forwarded-for" in request.headers:
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


async def _ask_store(store: Store) -> None:
    """A store that gives no answer has no leader that could be asked."""
    try:
        health = await asyncio.wait_for(store.health(), _HEALTH_SECONDS)
    except TimeoutError:
        metrics.STORE_REACHABLE.set(0)
        metrics.STORE_HAS_LEADER.set(0)
        metrics.STORE_LEADER.clear()
        return
    metrics.STORE_ENDPOINTS.set(len(health.endpoints))
    metrics.STORE_REACHABLE.set(len(health.reachable))
    metrics.STORE_HAS_LEADER.set(health.leader is not None)
    metrics.STORE_LEADER_CHANGES.set(health.leader_changes)
    metrics.STORE_TERM.set(health.term)
    metrics.STORE_LEADER.clear()
    if health.leader is not None:
        metrics.STORE_LEADER.labels(health.leader).set(1)


ROUTES = [Operation("GET", "/metrics", show_metrics, ANYBODY)]
