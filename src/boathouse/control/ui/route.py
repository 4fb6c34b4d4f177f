"""Where the web application is: at every address that nothing else has and that a browser asks for as a page."""

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from boathouse.control.ui.files import INDEX, BuiltFiles

_API = "/api/"


class UiRoute(Route):
    """Not a route for all paths, which would make of every unknown one of the API a wrong method instead of a 404."""

    def __init__(self, files: BuiltFiles) -> None:
        super().__init__("/{ui:path}", self._answer, methods=["GET"], include_in_schema=False)
        self._files = files

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"} or self._name(scope) is None:
            return Match.NONE, {}
        match, child = super().matches(scope)
        return match, {**child, "route": self}

    async def _answer(self, request: Request) -> Response:
        accepted = request.headers.get("Accept-Encoding", "")
        found = self._files.answered(self._name(request.scope) or INDEX, accepted)
        return FileResponse(found.path, headers=dict(found.headers))

    def _name(self, scope: Scope) -> str | None:
        """The file that the address stands for. The application knows itself what its own addresses mean."""
        path: str = scope["path"]
        name = path.lstrip("/")
        # No name of a file holds a zero byte, and none is so long.
        if name and "\0" not in name and len(name) < 200 and self._files.has(name):
            return name
        is_page = not path.startswith(_API) and _wants_html(scope)
        return INDEX if is_page else None


def _wants_html(scope: Scope) -> bool:
    accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    return b"text/html" in accept or scope["path"] == "/"
