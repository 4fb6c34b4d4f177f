"""How Spark's errors read once they are ours."""

import pytest
from grpc import StatusCode
from pydantic import SecretStr
from pyspark.errors.exceptions.connect import (
    AnalysisException,
    ArithmeticException,
    IllegalArgumentException,
    ParseException,
    SparkConnectGrpcException,
    UnknownException,
)

from boathouse.engines.spark.connect import open_session
from boathouse.engines.spark.errors import position, translate, translated
from boathouse.engines.statements import Position
from boathouse.kit.access import SparkAccess
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

JVM = "\n\nJVM stacktrace:\norg.apache.spark.SomeException\n\tat org.apache.spark.Some.method(Some.scala:1)"


def spark_error(message: str, condition: str | None = None, state: str | None = None) -> SparkConnectGrpcException:
    return AnalysisException(message + JVM, errorClass=condition, messageParameters={}, sql_state=state)


def test_the_error_class_is_kept_and_java_is_not() -> None:
    error = translate(spark_error("[X_Y] It is\nso. SQLSTATE: 42000; line 1 pos 7;\n'Project ['a]", "X_Y", "42000"))
    assert str(error) == "[X_Y] It is so."


@pytest.mark.parametrize(
    ("condition", "state", "kind"),
    [
        ("PARSE_SYNTAX_ERROR", "42601", InvalidInput),
        ("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", InvalidInput),
        ("TABLE_OR_VIEW_NOT_FOUND", "42P01", NotFound),
        ("SCHEMA_NOT_FOUND", "42704", NotFound),
        ("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", Conflict),
        ("DIVIDE_BY_ZERO", "22012", WorkFailed),
        ("OPERATION_CANCELED", "HY008", Cancelled),
        ("INVALID_HANDLE.SESSION_CHANGED", "HY000", Unavailable),
    ],
)
def test_its_class_decides_what_kind_it_is(condition: str, state: str, kind: type[BoathouseError]) -> None:
    assert type(translate(spark_error(f"[{condition}] no.", condition, state))) is kind


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (StatusCode.UNAVAILABLE, Unavailable),
        (StatusCode.UNAUTHENTICATED, Unauthenticated),
        (StatusCode.PERMISSION_DENIED, Forbidden),
    ],
)
def test_so_does_what_the_connection_says(status: StatusCode, kind: type[BoathouseError]) -> None:
    assert type(translate(SparkConnectGrpcException("no", grpc_status_code=status))) is kind


def test_a_server_that_does_not_answer_comes_with_where_to_look() -> None:
    error = translate(SparkConnectGrpcException("no route", grpc_status_code=StatusCode.UNAVAILABLE))
    assert "does not answer" in str(error)
    assert error.hint is not None
    assert "boathouse status" in error.hint
    assert "boathouse logs spark" in error.hint


def test_what_grpc_says_is_told_without_its_objects() -> None:
    said = (
        '<_MultiThreadedRendezvous of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE\n\tdetails = "failed to '
        "connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:15002: Failed to connect to remote host: "
        'Connection refused"\n\tdebug_error_string = "UNAVAILABLE:failed"\n>'
    )
    error = translate(SparkConnectGrpcException(said, grpc_status_code=StatusCode.UNAVAILABLE))
    assert str(error) == "Spark does not answer: Connection refused."


def test_a_server_that_is_not_there_is_told() -> None:
    access = SparkAccess(remote="sc://localhost:1", token=SecretStr("hush"), catalog="lake")
    with pytest.raises(Unavailable, match=r"Spark does not answer: .* at sc://localhost:1\."), open_session(access):
        pass


@pytest.mark.parametrize(
    ("java", "kind"),
    [
        ("org.apache.iceberg.exceptions.CommitFailedException", Conflict),
        ("org.apache.iceberg.exceptions.ForbiddenException", Forbidden),
        ("org.apache.iceberg.exceptions.ServiceFailureException", Unavailable),
        ("java.lang.NullPointerException", WorkFailed),
    ],
)
def test_iceberg_errors_are_known_by_their_java_class(java: str, kind: type[BoathouseError]) -> None:
    stack = f"org.apache.spark.SparkException\n\tat a.B.c(B.java:1)\nCaused by: {java}: it was refused\n\tat d.E.f(E.java:2)"
    error = translate(
        UnknownException("Writing job aborted", reason="org.apache.spark.SparkException", server_stacktrace=stack)
    )
    assert type(error) is kind
    assert str(error).endswith("Writing job aborted Cause: it was refused")


def test_a_commit_of_which_nobody_knows_is_not_to_be_run_again_unseen() -> None:
    stack = (
        "org.apache.spark.SparkException\n\tat a.B.c(B.java:1)\n"
        "Caused by: org.apache.iceberg.exceptions.CommitStateUnknownException: Cannot determine whether it worked\n"
        "\tat d.E.f(E.java:2)\n"
        "Caused by: org.apache.iceberg.exceptions.ServiceFailureException: Server error\n\tat g.H.i(H.java:3)"
    )
    error = translate(
        UnknownException("Writing job aborted", reason="org.apache.spark.SparkException", server_stacktrace=stack)
    )
    assert type(error) is WorkFailed
    assert str(error) == "The change may have happened: Writing job aborted Cause: Server error"
    assert error.hint == "Look at `boathouse table history TABLE` before running it again."


def test_an_argument_iceberg_rejects_is_the_callers() -> None:
    stack = "java.lang.IllegalArgumentException\n\tat a.B.c(B.java:1)"
    error = translate(IllegalArgumentException("Cannot find snapshot with ID 5", server_stacktrace=stack))
    assert type(error) is InvalidInput
    assert str(error) == "Cannot find snapshot with ID 5"


def test_a_syntax_error_points_at_its_place() -> None:
    error = ParseException(
        "\n[PARSE_SYNTAX_ERROR] No. SQLSTATE: 42601 (line 2, pos 5)\n\n== SQL ==\n…", sql_state="42601"
    )
    assert (
        str(translate(error, "select 1\nfrom from t"))
        == "[PARSE_SYNTAX_ERROR] No.\n\nline 2: from from t\n             ^"
    )


def test_the_line_is_that_of_the_file_the_statement_stands_in() -> None:
    error = ParseException("[X] No. SQLSTATE: 42601 (line 1, pos 0)", sql_state="42601")
    assert "line 12: selec 1" in str(translate(error, "selec 1", first_line=12))


def test_an_error_without_a_place_points_nowhere() -> None:
    assert position(ArithmeticException("[DIVIDE_BY_ZERO] Division by zero."), "select 1/0") is None


def test_carets_stay_within_the_line() -> None:
    assert Position(1, 8, 100).point("select a+b") == "line 1: select a+b\n               ^^^"


def test_other_errors_pass_untouched() -> None:
    with pytest.raises(KeyError), translated("select 1"):
        raise KeyError
