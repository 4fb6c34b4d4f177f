"""Trino's errors in our words."""

import httpx
import pytest

from boathouse.engines.statements import Statement
from boathouse.engines.trino.errors import refused, translate
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


@pytest.mark.parametrize(
    ("name", "of_type", "kind"),
    [
        ("COLUMN_NOT_FOUND", "USER_ERROR", InvalidInput),
        ("DIVISION_BY_ZERO", "USER_ERROR", InvalidInput),
        ("TABLE_NOT_FOUND", "USER_ERROR", NotFound),
        ("TABLE_ALREADY_EXISTS", "USER_ERROR", Conflict),
        ("PERMISSION_DENIED", "USER_ERROR", Forbidden),
        ("USER_CANCELED", "USER_ERROR", Cancelled),
        ("ICEBERG_COMMIT_ERROR", "EXTERNAL", Conflict),
        ("HIVE_METASTORE_ERROR", "EXTERNAL", Unavailable),
        ("CLUSTER_OUT_OF_MEMORY", "INSUFFICIENT_RESOURCES", Unavailable),
        ("EXCEEDED_LOCAL_MEMORY_LIMIT", "INSUFFICIENT_RESOURCES", WorkFailed),
        ("NO_NODES_AVAILABLE", "INSUFFICIENT_RESOURCES", Unavailable),
        ("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", WorkFailed),
    ],
)
def test_its_type_and_name_say_what_kind_it_is(name: str, of_type: str, kind: type[BoathouseError]) -> None:
    failure = {"errorName": name, "errorType": of_type, "message": "so it is"}
    error = translate(failure, Statement("SELECT 1"))
    assert (type(error), str(error)) == (kind, f"[{name}] so it is.")


def failure(name: str, line: int, column: int) -> dict[str, object]:
    place = {"lineNumber": line, "columnNumber": column}
    return {
        "errorName": name,
        "errorType": "USER_ERROR",
        "message": f"line {line}:{column}: no",
        "errorLocation": place,
    }


def test_it_points_at_its_place_by_the_line_of_the_whole_text() -> None:
    error = translate(failure("COLUMN_NOT_FOUND", 2, 3), Statement("SELECT\n  nothing", 4), shift=19)
    assert str(error) == "[COLUMN_NOT_FOUND] no.\n\nline 5:   nothing\n          ^^^^^^^"


def test_what_cannot_be_parsed_is_seen_further_to_the_right() -> None:
    error = translate(failure("SYNTAX_ERROR", 1, 27), Statement("SELECT ,"), shift=19)
    assert str(error).endswith("line 1: SELECT ,\n               ^")


def test_a_place_that_is_not_there_is_no_error_of_its_own() -> None:
    assert "[SYNTAX_ERROR]" in str(translate(failure("SYNTAX_ERROR", 9, 1), Statement("SELECT 1"), shift=19))


def test_a_change_that_may_have_happened_is_not_to_be_repeated() -> None:
    cause = {"type": "org.apache.iceberg.exceptions.CommitStateUnknownException"}
    told = {"errorName": "ICEBERG_COMMIT_ERROR", "message": "lost", "failureInfo": {"type": "x", "cause": cause}}
    error = translate(told, Statement("INSERT"))
    assert (type(error), str(error)) == (WorkFailed, "The change may have happened: lost")


def test_a_refused_login_does_not_repeat_what_was_sent() -> None:
    request = httpx.Request("POST", "http://trino", headers={"Authorization": "Basic c2VjcmV0"})
    response = httpx.Response(401, text="Access Denied: Basic c2VjcmV0", request=request)
    assert str(refused(response)) == "The login is refused: Access Denied: Basic …."
