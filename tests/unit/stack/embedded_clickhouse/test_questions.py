import pytest

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.questions import Session, read_question
from boathouse.stack.embedded_clickhouse.running import RunningQueries, comment


def test_what_is_no_parameter_of_the_request_is_a_setting() -> None:
    told = {"query": "SELECT 1", "database": "d", "max_threads": "2", "param_x": "1", "wait_end_of_query": "1"}
    question = read_question("POST", {**told, "enable_http_compression": "1", "user": "u", "password": "p"}, {})
    assert question.settings == {"max_threads": "2"}
    assert question.parameters == {"x": "1"}
    assert (question.database, question.waits, question.encoded, question.reads_only) == ("d", True, True, False)
    assert "'p'" not in repr(question)


def test_headers_say_what_parameters_do_not() -> None:
    question = read_question("GET", {}, {"x-clickhouse-database": "d", "x-clickhouse-format": "CSV"})
    assert (question.database, question.default_format, question.reads_only) == ("d", "CSV", True)
    assert read_question("GET", {"database": "e"}, {"x-clickhouse-database": "d"}).database == "e"
    assert question.query_id != read_question("GET", {}, {}).query_id


def test_sessions() -> None:
    assert read_question("GET", {"session_id": "s"}, {}).session == Session("s", 60, must_exist=False, closes=False)
    told = {"session_id": "s", "session_timeout": "5", "session_check": "1", "close_session": "1"}
    assert read_question("GET", told, {}).session == Session("s", 5, must_exist=True, closes=True)
    for wrong in ("-1", "x", "1e3", "3601", "\u0663"):
        with pytest.raises(ClickHouseError, match="imeout"):
            read_question("GET", {"session_id": "s", "session_timeout": wrong}, {})


@pytest.mark.parametrize(
    ("method", "told", "readonly"),
    [("POST", None, 0), ("POST", "1", 1), ("POST", "2", 2), ("GET", None, 2), ("GET", "0", 2), ("GET", "1", 1)],
)
def test_who_only_reads(method: str, told: str | None, readonly: int) -> None:
    given = {} if told is None else {"readonly": told}
    question = read_question(method, {**given, "session_id": "s"}, {})
    assert (question.readonly, question.settings) == (readonly, {})
    assert question.settings_of_statement == ({"readonly": str(readonly)} if readonly else {})
    assert read_question(method, given, {}).settings_of_statement == {}
    with pytest.raises(ClickHouseError, match="readonly"):
        read_question(method, {"readonly": "yes"}, {})


@pytest.mark.parametrize("name", ["compress", "decompress"])
def test_what_is_not_spoken_is_refused(name: str) -> None:
    assert read_question("GET", {name: "0"}, {}).settings == {}
    with pytest.raises(ClickHouseError, match=name):
        read_question("GET", {name: "1"}, {})


def test_an_id_runs_once_and_so_many_run() -> None:
    queries = RunningQueries(limit=2)
    first = queries.begin("a")
    for query_id, code in (("a", 216), ("b", None), ("c", 202)):
        if code is None:
            queries.begin(query_id)
            continue
        with pytest.raises(ClickHouseError) as refused:
            queries.begin(query_id)
        assert refused.value.code == code
    queries.end(first)
    assert queries.kill(["a", "b"]) == ["b"]
    assert queries.by_id["b"].killed


def test_a_clients_comment_stays_before_the_id() -> None:
    assert comment("q", {}) == "query_id=q"
    assert comment("q", {"log_comment": "dashboard"}) == "dashboard query_id=q"
