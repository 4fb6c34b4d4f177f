"""A request in ClickHouse's terms: which query, under which settings, in which session."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError

# Parameters that are about the request; every other one is a setting of the query.
_ABOUT_THE_REQUEST = frozenset(
    {
        *("query", "user", "password", "quota_key", "role", "stacktrace", "close_session", "client_protocol_version"),
        *("database", "default_format", "query_id", "session_id", "session_timeout", "session_check"),
        *("compress", "decompress", "buffer_size", "wait_end_of_query", "framing", "readonly"),
    }
)
# Settings that this server carries out: the engine knows their names, and would do nothing.
_CARRIED_OUT_HERE = frozenset(
    {
        *("enable_http_compression", "http_zlib_compression_level", "send_progress_in_http_headers"),
        *("http_headers_progress_interval_ms", "cancel_http_readonly_queries_on_client_close"),
        *("http_wait_end_of_query", "http_response_buffer_size", "add_http_cors_header", "async_insert"),
        *("wait_for_async_insert",),
    }
)
_LONGEST_SESSION = 3600


@dataclass(frozen=True)
class Session:
    name: str
    timeout: int
    must_exist: bool
    closes: bool


@dataclass(frozen=True)
class Question:
    query_id: str
    query: str
    """As the address has it; the body follows it."""
    database: str | None
    default_format: str
    readonly: int
    """As the setting of that name: 1 to read only, 2 to change settings as well."""
    session: Session | None
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values for {name:Type} in the query."""
    encoded: bool = False
    """Whether the answer may be encoded as the client says it takes it."""
    waits: bool = False
    """Whether nothing is sent before the query has ended."""
    tells_progress: bool = False
    cancelled_with_client: bool = False

    @property
    def reads_only(self) -> bool:
        return self.readonly > 0

    @property
    def settings_of_statement(self) -> Mapping[str, str]:
        """What goes with the statement alone: no connection takes `readonly` back, and a session's is used again."""
        return {"readonly": str(self.readonly)} if self.reads_only and self.session is not None else {}


def read_question(method: str, parameters: Mapping[str, str], headers: Mapping[str, str]) -> Question:
    for name in ("compress", "decompress"):
        if _on(parameters.get(name)):
            raise ClickHouseError(
                48, "NOT_IMPLEMENTED", f"{name}=1 is not spoken here: use Accept-Encoding and Content-Encoding"
            )
    settings = {
        name: value
        for name, value in parameters.items()
        if name not in _ABOUT_THE_REQUEST | _CARRIED_OUT_HERE and not name.startswith("param_")
    }
    output = parameters.get("default_format") or headers.get("x-clickhouse-format") or "TabSeparated"
    return Question(
        query_id=parameters.get("query_id") or str(uuid.uuid4()),
        query=parameters.get("query", ""),
        database=parameters.get("database") or headers.get("x-clickhouse-database") or None,
        default_format=checked_format(output),
        readonly=_readonly(parameters.get("readonly", "0")) or (2 if method in {"GET", "HEAD"} else 0),
        session=_session(parameters),
        settings=settings,
        parameters={name[6:]: value for name, value in parameters.items() if name.startswith("param_")},
        encoded=_on(parameters.get("enable_http_compression")),
        waits=_on(parameters.get("wait_end_of_query")) or _on(parameters.get("http_wait_end_of_query")),
        tells_progress=_on(parameters.get("send_progress_in_http_headers")),
        cancelled_with_client=_on(parameters.get("cancel_http_readonly_queries_on_client_close")),
    )


def checked_format(name: str) -> str:
    """A format's name goes into statements as it is."""
    if not name.isascii() or not name.isalnum():
        raise ClickHouseError(73, "UNKNOWN_FORMAT", f"Unknown format {name}")
    return name


def _readonly(told: str) -> int:
    if told not in {"0", "1", "2"}:
        raise ClickHouseError(36, "BAD_ARGUMENTS", f"Invalid value of readonly: '{told}'. It is 0, 1 or 2")
    return int(told)


def _session(parameters: Mapping[str, str]) -> Session | None:
    name = parameters.get("session_id")
    if not name:
        return None
    told = parameters.get("session_timeout", "60")
    if not told.isascii() or not told.isdigit():
        raise ClickHouseError(36, "BAD_ARGUMENTS", f"Invalid session timeout: '{told}'")
    if int(told) > _LONGEST_SESSION:
        raise ClickHouseError(
            36, "BAD_ARGUMENTS", f"Session timeout '{told}' is larger than max_session_timeout: {_LONGEST_SESSION}."
        )
    return Session(name, int(told), _on(parameters.get("session_check")), _on(parameters.get("close_session")))


def _on(value: str | None) -> bool:
    return value is not None and value.lower() not in {"", "0", "false"}
