"""ClickHouse asked over HTTP: what an example needs of it, which is a statement and its rows."""

from typing import Any

import httpx

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.errors import BoathouseError, NotFound, Unavailable, WorkFailed

_SECONDS = 60.0
_NOT_THERE = {"47", "60", "81"}
"""No such column, table or database."""


class ClickHouse:
    def __init__(self, access: ClickHouseAccess) -> None:
        login = (access.user, access.password.get_secret_value())
        self._uri = access.uri
        self._http = httpx.Client(base_url=access.uri, auth=login, timeout=_SECONDS, trust_env=False)

    def ask(self, statement: str) -> list[list[Any]]:
        params = {"default_format": "JSONCompact", "output_format_json_quote_64bit_integers": "0"}
        try:
            answer = self._http.post("/", content=statement.encode(), params=params)
        except httpx.HTTPError as error:
            raise Unavailable(
                f"ClickHouse at {self._uri} does not answer: {error or type(error).__name__}.",
                hint="See `boathouse status` and `boathouse logs clickhouse`.",
            ) from error
        if not answer.is_success:
            raise _refusal(answer)
        return answer.json()["data"] if answer.content else []

    def close(self) -> None:
        self._http.close()


def _refusal(answer: httpx.Response) -> BoathouseError:
    message = answer.text.splitlines()[0] if answer.text else f"status {answer.status_code}"
    if answer.headers.get("X-ClickHouse-Exception-Code") in _NOT_THERE:
        return NotFound(f"ClickHouse: {message}")
    return WorkFailed(f"ClickHouse: {message}")
