import pytest

from boathouse.stack.embedded_clickhouse.errors import of_engine


@pytest.mark.parametrize(
    ("told", "code", "name", "status", "message"),
    [
        ("Code: 60. DB::Exception: Unknown table t. (UNKNOWN_TABLE)", 60, "UNKNOWN_TABLE", 404, "Unknown table t."),
        ("Code: 62. DB::Exception: Wrong (A) (SYNTAX_ERROR) (version 26.9.2.1)", 62, "SYNTAX_ERROR", 400, "Wrong (A)"),
        ("Code: 159. DB::Exception: Slow. (TIMEOUT_EXCEEDED) (version 1 (x))", 159, "TIMEOUT_EXCEEDED", 408, "Slow."),
        (
            "Code: 241. DB::Exception: Much\nmore. (MEMORY_LIMIT_EXCEEDED)",
            241,
            "MEMORY_LIMIT_EXCEEDED",
            500,
            "Much\nmore.",
        ),
        ("out of luck", 1001, "STD_EXCEPTION", 500, "out of luck"),
    ],
)
def test_the_engines_text_is_read(told: str, code: int, name: str, status: int, message: str) -> None:
    error = of_engine(RuntimeError(told))
    assert (error.code, error.name, error.status, str(error)) == (code, name, status, message)
    assert error.text("26.9") == f"Code: {code}. DB::Exception: {message} ({name}) (version 26.9)\n"
