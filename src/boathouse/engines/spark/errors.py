"""Spark's errors in our words: one paragraph, the error class kept, no Java, and the place in the statement."""

import re
from collections.abc import Generator
from contextlib import contextmanager

from grpc import StatusCode
from pyspark.errors import PySparkException, QueryContextType
from pyspark.errors.exceptions.connect import SparkConnectGrpcException

from boathouse.engines.statements import Position
from boathouse.kit.errors import (
    BoathouseError,
    Cancelled,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
    WorkFailed,
)

_END_OF_MESSAGE = re.compile(r"\s*(?:SQLSTATE: |\n== SQL|JVM stacktrace:|\n\s*at [\w.$]+\()")
_POSITION = re.compile(r"line (\d+),? pos (\d+)")
_JAVA_ERROR = re.compile(r"^(?:Caused by: )?((?:[a-z]\w*\.)+[\w$]+)(?:: (.*))?$", re.MULTILINE)
# gRPC's error prints as a Python object; this is the part of it that says something.
_RPC_DETAILS = re.compile(r'details = "(.*?)"\s+debug_error_string', re.DOTALL)
_RPC_ADDRESS = re.compile(r"^.*(?:last error: |Failed to connect to remote host: )")
_JAVA_NAME = re.compile(r"^\((?:[a-z]\w*\.)+[\w$]+\) ")

_BY_STATUS: dict[StatusCode, type[BoathouseError]] = {
    StatusCode.UNAVAILABLE: Unavailable,
    StatusCode.UNAUTHENTICATED: Unauthenticated,
    StatusCode.PERMISSION_DENIED: Forbidden,
    StatusCode.CANCELLED: Cancelled,
}

# The catalog did not say whether it took the change. Run again, an INSERT that it did take would stand there twice.
_UNKNOWN_COMMIT = "CommitStateUnknownException"
_UNKNOWN_COMMIT_HINT = "Look at `boathouse table history TABLE` before running it again."

# Iceberg's exceptions reach Spark as they are, without an error class of Spark's.
_BY_JAVA_CLASS: dict[str, type[BoathouseError]] = {
    "CommitFailedException": Conflict,
    _UNKNOWN_COMMIT: WorkFailed,
    "ValidationException": Conflict,
    "NotAuthorizedException": Unauthenticated,
    "ForbiddenException": Forbidden,
    "ServiceUnavailableException": Unavailable,
    "ServiceFailureException": Unavailable,
    "RESTException": Unavailable,
    "NotFoundException": NotFound,
    "NoSuchTableException": NotFound,
}

# The first two characters of an SQLSTATE are its class: 42 is what the statement says, 22 what the data says.
_SQL_CLASSES: dict[str, type[BoathouseError]] = {"42": InvalidInput, "KD": InvalidInput, "0A": InvalidInput}

SPARK_AWAY = "Spark does not answer: "
UNAVAILABLE_HINT = "It may be starting again: see `boathouse status` and `boathouse logs spark`."
_HINTS: dict[type[BoathouseError], str] = {
    Unavailable: UNAVAILABLE_HINT,
    Unauthenticated: "The stack was started anew meanwhile: run the command again.",
    Conflict: "Somebody else changed the table meanwhile: run the statement again.",
}


_NO_ROOM = "No space left on device"


@contextmanager
def translated(statement: str = "", *, first_line: int = 1) -> Generator[None]:
    """Raise Spark's errors as ours; with the statement given, the message points at the place in it."""
    try:
        yield
    except PySparkException as error:
        raise translate(error, statement, first_line=first_line) from error


def translate(error: PySparkException, statement: str = "", *, first_line: int = 1) -> BoathouseError:
    if _NO_ROOM in (_cause(error) or ""):
        return WorkFailed(
            "A disk is full: Spark or the object store found no room to write.",
            hint="Make room where the lakehouse keeps its data (`boathouse config` shows where), then run it again.",
        )
    kind = _kind(error)
    text = f"{_preface(kind, error)}{connection_text(_text(error))}"
    place = position(error, statement) if statement else None
    if place:
        text = f"{text}\n\n{place.point(statement, first_line=first_line)}"
    return kind(text, hint=_hint(kind, error))


def connection_text(text: str) -> str:
    """What a failed call says, without the object around it and without gRPC's way to name an address."""
    found = _RPC_DETAILS.search(text)
    return f"{_RPC_ADDRESS.sub('', found[1]).strip().rstrip('.')}." if found else text


def position(error: PySparkException, statement: str) -> Position | None:
    """Where in the statement the error lies, if Spark says."""
    for context in error.getQueryContext():
        if context.contextType() is QueryContextType.SQL and not context.objectName():
            start, stop = context.startIndex(), context.stopIndex()
            before = statement[:start]
            line, column = before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1
            return Position(line, column, stop - start + 1)
    found = _POSITION.search(error.getMessage() or "")
    return Position(int(found[1]), int(found[2]) + 1, 1) if found else None


def _kind(error: PySparkException) -> type[BoathouseError]:
    condition = error.getCondition() or ""
    if condition == "RETRIES_EXCEEDED" or condition.startswith("INVALID_HANDLE"):
        # The second: a server that was started anew does not know this session.
        return Unavailable
    if condition == "OPERATION_CANCELED":
        return Cancelled
    if isinstance(error, SparkConnectGrpcException) and error.getGrpcStatusCode() in _BY_STATUS:
        return _BY_STATUS[error.getGrpcStatusCode()]
    return _kind_of_condition(condition) or _kind_of_java(error) or _kind_of_state(error)


def _kind_of_condition(condition: str) -> type[BoathouseError] | None:
    if condition.endswith("_NOT_FOUND"):
        return NotFound
    return Conflict if "ALREADY_EXISTS" in condition else None


def _kind_of_java(error: PySparkException) -> type[BoathouseError] | None:
    name = _known_java_class(error)
    return _BY_JAVA_CLASS[name] if name else None


def _known_java_class(error: PySparkException) -> str | None:
    """The outermost that we know: it is the one that says what the inner ones mean."""
    names = (name.rpartition(".")[2] for name, _ in _java_errors(error))
    return next((name for name in names if name in _BY_JAVA_CLASS), None)


def _may_have_happened(kind: type[BoathouseError], error: PySparkException) -> bool:
    return kind is WorkFailed and _known_java_class(error) == _UNKNOWN_COMMIT


def _preface(kind: type[BoathouseError], error: PySparkException) -> str:
    if kind is Unavailable:
        # Spark itself is there to say so, where it is the catalog or the store that is not.
        return "A service does not answer: " if _known_java_class(error) else SPARK_AWAY
    return "The change may have happened: " if _may_have_happened(kind, error) else ""


def _kind_of_state(error: PySparkException) -> type[BoathouseError]:
    state = error.getSqlState()
    if state is None:
        # Iceberg checks its arguments and says so; whatever else has no state is a failure of the work.
        classes = [name for name, _ in _java_errors(error)]
        return InvalidInput if classes[:1] == ["java.lang.IllegalArgumentException"] else WorkFailed
    return _SQL_CLASSES.get(state[:2], WorkFailed)


def _hint(kind: type[BoathouseError], error: PySparkException) -> str | None:
    condition = error.getCondition() or ""
    if condition == "TABLE_OR_VIEW_NOT_FOUND":
        return "`boathouse table list` shows every table."
    if _may_have_happened(kind, error):
        return _UNKNOWN_COMMIT_HINT
    if kind is Unavailable and _known_java_class(error):
        return "`boathouse status` shows which, `boathouse logs SERVICE` says why."
    return None if "ALREADY_EXISTS" in condition else _HINTS.get(kind)


def _text(error: PySparkException) -> str:
    message = _END_OF_MESSAGE.split(error.getMessage() or "", maxsplit=1)[0]
    text = " ".join(_JAVA_NAME.sub("", message.strip()).split()) or type(error).__name__
    cause = _cause(error)
    return text if error.getQueryContext() or not cause or cause in text else f"{text} Cause: {cause}"


def _cause(error: PySparkException) -> str | None:
    """What the innermost Java exception says: Spark's own message is often only that a job was aborted."""
    messages = [" ".join(message.split()) for _, message in _java_errors(error) if message]
    return messages[-1] if messages else None


def _java_errors(error: PySparkException) -> list[tuple[str, str]]:
    stack = error.getStackTrace() if isinstance(error, SparkConnectGrpcException) else None
    return [(found[1], found[2] or "") for found in _JAVA_ERROR.finditer(stack or "")]
