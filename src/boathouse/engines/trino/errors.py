"""Trino's errors in our words: one paragraph, its name kept, no Java, and the place in the statement."""

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import httpx

from boathouse.engines.statements import Position, Statement
from boathouse.kit.errors import (
    BoathouseError,
    Cancelled,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unavailable,
    WorkFailed,
)

Failure = Mapping[str, Any]
"""As a page tells it: `errorName`, `errorType`, `message`, perhaps `errorLocation` and `failureInfo`."""

# By Trino's own types. A lack of resources and what other systems do pass; a fault of Trino's own may not.
_BY_TYPE: Mapping[str, type[BoathouseError]] = {
    "USER_ERROR": InvalidInput,
    "INSUFFICIENT_RESOURCES": Unavailable,
    "EXTERNAL": Unavailable,
}
_BY_NAME: Mapping[str, type[BoathouseError]] = {
    "CATALOG_NOT_FOUND": NotFound,
    "SCHEMA_NOT_FOUND": NotFound,
    "TABLE_NOT_FOUND": NotFound,
    "PERMISSION_DENIED": Forbidden,
    "USER_CANCELED": Cancelled,
    "ADMINISTRATIVELY_KILLED": Cancelled,
    "ICEBERG_COMMIT_ERROR": Conflict,
    "TRANSACTION_CONFLICT": Conflict,
    # One statement that needs more than any may have will need it again.
    "EXCEEDED_GLOBAL_MEMORY_LIMIT": WorkFailed,
    "EXCEEDED_LOCAL_MEMORY_LIMIT": WorkFailed,
    "EXCEEDED_TIME_LIMIT": WorkFailed,
    "EXCEEDED_CPU_LIMIT": WorkFailed,
    "EXCEEDED_SCAN_LIMIT": WorkFailed,
    # Its own, but of the moment: a node left, or is not there yet.
    "NO_NODES_AVAILABLE": Unavailable,
    "REMOTE_TASK_ERROR": Unavailable,
    "REMOTE_HOST_GONE": Unavailable,
    "PAGE_TRANSPORT_ERROR": Unavailable,
    "PAGE_TRANSPORT_TIMEOUT": Unavailable,
    "SERVER_SHUTTING_DOWN": Unavailable,
    "SERVER_STARTING_UP": Unavailable,
    "ABANDONED_QUERY": Unavailable,
}
_HINTS: Mapping[type[BoathouseError], str] = {
    NotFound: "Check its name. `SHOW CATALOGS`, `SHOW SCHEMAS` and `SHOW TABLES` list what there is.",
    Forbidden: "Ask who keeps Trino's access rules.",
    Conflict: "Somebody else changed it meanwhile: run the statement again.",
    Unavailable: "Run it again in a while. If that does not help, look at Trino's log.",
}
# What Trino says of these leads nowhere.
_ADVICE: Mapping[str, str] = {
    "mismatched input ':'": "A `:name` stands for a parameter, and none of this name has a value.",
    "Cannot create a table on a non-empty location": "Trino makes tables only in a schema that has a location:"
    " CREATE SCHEMA … WITH (location = 's3://…'). The table is there by now, without rows: drop it first.",
}
# The catalog did not say whether it took the change. Run again, an INSERT that it did take would stand there twice.
_UNKNOWN_COMMIT = "CommitStateUnknownException"
_PLACE = re.compile(r"^line \d+:\d+: ")
_WORD = re.compile(r"\w+|\"[^\"]*\"")
_LONGEST = 2000


def translate(failure: Failure, statement: Statement, *, shift: int = 0) -> BoathouseError:
    """`shift` is how far to the right of its place Trino sees what it cannot parse."""
    name = str(failure.get("errorName", ""))
    reason = str(failure.get("message") or "it does not say why")[:_LONGEST]
    if any(kind.endswith(_UNKNOWN_COMMIT) for kind in _causes(failure.get("failureInfo"))):
        return WorkFailed(
            f"The change may have happened: {reason}", hint="Look at the table's history before running it again."
        )
    place = _position(failure, statement.text, shift if name == "SYNTAX_ERROR" else 0)
    text = f"[{name}] {_PLACE.sub('', reason).rstrip('.')}."
    kind = _kind(name, str(failure.get("errorType", "")))
    if place:
        text = f"{text}\n\n{place.point(statement.text, first_line=statement.line)}"
    return kind(text, hint=_hint(kind, reason))


def refused(response: httpx.Response) -> BoathouseError:
    """What an answer means that is none of a statement's."""
    if response.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        # Some say what was sent to them.
        sent = response.request.headers.get("Authorization", "").rpartition(" ")[2]
        said = response.text.replace(sent, "…") if sent else response.text
        reason = said.strip()[:300].rstrip(".") or f"status {response.status_code}"
        return Forbidden(f"The login is refused: {reason}.", hint="Check user, and password or token.")
    return Unavailable(f"The statement is answered with {response.status_code}.", hint="Look at Trino's log.")


def unanswered(address: str, error: Exception) -> BoathouseError:
    return Unavailable(
        f"Trino at {address} does not answer: {error or type(error).__name__}.",
        hint="Is it running? The connection's test says how far one comes.",
    )


def _kind(name: str, of_type: str) -> type[BoathouseError]:
    if name.endswith("_ALREADY_EXISTS"):
        return Conflict
    return _BY_NAME.get(name) or _BY_TYPE.get(of_type, WorkFailed)


def _hint(kind: type[BoathouseError], reason: str) -> str | None:
    if advice := next((said for found, said in _ADVICE.items() if found in reason), None):
        return advice
    return None if kind is Conflict and "exist" in reason else _HINTS.get(kind)


def _position(failure: Failure, statement: str, shift: int) -> Position | None:
    place = failure.get("errorLocation")
    if not place:
        return None
    line, column = int(place["lineNumber"]), max(1, int(place["columnNumber"]) - shift)
    lines = statement.splitlines()
    word = _WORD.match(lines[line - 1], column - 1) if line <= len(lines) else None
    return Position(line, column, len(word[0]) if word else 1)


def _causes(info: Mapping[str, Any] | None) -> Iterator[str]:
    while info:
        yield str(info.get("type", ""))
        info = info.get("cause")
