"""Errors as ClickHouse writes them: a number, a text and a name, and the HTTP status that goes with it."""

import re

_TOLD = re.compile(r"Code: (\d+)\. (?:DB::|Coordination::)?Exception: .*\(([A-Z][A-Z0-9_]+)\)", re.DOTALL)
_VERSION = re.compile(r"\s*\(version [^()]*(?:\([^()]*\))?\)\s*$")
_PARSING = frozenset(
    f"CANNOT_PARSE_{what}"
    for what in (
        *("TEXT", "ESCAPE_SEQUENCE", "QUOTED_STRING", "DATE", "DATETIME", "NUMBER", "BOOL", "UUID"),
        *("DOMAIN_VALUE_FROM_STRING", "IPV4", "IPV6", "INPUT_ASSERTION_FAILED"),
    )
)
_STATUS = {
    401: {"REQUIRED_PASSWORD"},
    403: {"UNKNOWN_USER", "WRONG_PASSWORD", "AUTHENTICATION_FAILED", "SET_NON_GRANTED_ROLE"},
    400: _PARSING
    | {
        *("BAD_ARGUMENTS", "CANNOT_COMPILE_REGEXP", "DUPLICATE_COLUMN", "ILLEGAL_COLUMN", "SYNTAX_ERROR"),
        *("UNKNOWN_ELEMENT_IN_AST", "UNKNOWN_TYPE_OF_AST_NODE", "TOO_DEEP_AST", "TOO_BIG_AST"),
        *("UNEXPECTED_AST_STRUCTURE", "INCORRECT_DATA", "TYPE_MISMATCH", "VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE"),
    },
    404: {
        *("UNKNOWN_TABLE", "UNKNOWN_FUNCTION", "UNKNOWN_IDENTIFIER", "UNKNOWN_TYPE", "UNKNOWN_STORAGE"),
        *("UNKNOWN_DATABASE", "UNKNOWN_SETTING", "UNKNOWN_DIRECTION_OF_SORTING", "UNKNOWN_AGGREGATE_FUNCTION"),
        *("UNKNOWN_FORMAT", "UNKNOWN_DATABASE_ENGINE", "UNKNOWN_TYPE_OF_QUERY", "UNKNOWN_ROLE"),
    },
    408: {"TIMEOUT_EXCEEDED"},
    413: {"QUERY_IS_TOO_LARGE"},
    501: {"NOT_IMPLEMENTED"},
    503: {"SOCKET_TIMEOUT", "CANNOT_OPEN_FILE", "CANNOT_SCHEDULE_TASK"},
}
_STATUS_OF = {name: status for status, names in _STATUS.items() for name in names}


class ClickHouseError(Exception):
    """What a client of ClickHouse expects to be told. Not of our own tree: its number and its words are ClickHouse's."""

    def __init__(self, code: int, name: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.name = name

    @property
    def status(self) -> int:
        return _STATUS_OF.get(self.name, 500)

    def text(self, version: str) -> str:
        return f"Code: {self.code}. DB::Exception: {self} ({self.name}) (version {version})\n"


def of_engine(error: BaseException) -> ClickHouseError:
    """What the engine raised: one kind of error, with everything in its text."""
    told = _VERSION.sub("", str(error))
    if not (found := _TOLD.search(told)):
        return ClickHouseError(1001, "STD_EXCEPTION", told)
    code, name = int(found[1]), found[2]
    message = told[found.start() :].partition("Exception: ")[2]
    return ClickHouseError(code, name, message.removesuffix(f"({name})").rstrip())


def refused_login(user: str) -> ClickHouseError:
    return ClickHouseError(
        516,
        "AUTHENTICATION_FAILED",
        f"{user}: Authentication failed: password is incorrect, or there is no user with such name.",
    )


def cancelled() -> ClickHouseError:
    return ClickHouseError(394, "QUERY_WAS_CANCELLED", "Query was cancelled.")
