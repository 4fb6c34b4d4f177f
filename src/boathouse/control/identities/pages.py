"""A problem as a page, for a browser that was sent here and has nothing else to show."""

from html import escape

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from boathouse.control.http.errors import answer
from boathouse.kit.errors import BoathouseError

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Not logged in</title>
<body style="font-family: sans-serif; max-width: 40em; margin: 4em auto">
<h1>Not logged in</h1><p>{message}</p><p>{hint}</p><p><a href="/">Back</a></p>
<p><small>{request_id}</small></p></body></html>
"""
# Nothing on it is loaded or run, whatever the message holds.
_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'", "Cache-Control": "no-store"}


def told(request: Request, error: BoathouseError) -> Response:
    if "text/html" not in request.headers.get("Accept", ""):
        return answer(request, error.http_status, error.code, str(error), error.hint)
    page = _PAGE.format(
        message=escape(str(error)), hint=escape(error.hint or ""), request_id=escape(request.state.request_id)
    )
    return HTMLResponse(page, error.http_status, _HEADERS)
