"""Where the API's routes are made: with their whole address, so that an application takes them as they are.

A router that is included in another has all its routes made anew, with a model for each of their parameters, and asks each of them
twice whose a request is.
"""

from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute

from boathouse.control.http.errors import ErrorAnswer

API = "/api/v1"
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}


def api_router(tag: str, route_class: type[APIRoute]) -> APIRouter:
    return APIRouter(prefix=API, tags=[tag], route_class=route_class, responses=_REFUSALS)
