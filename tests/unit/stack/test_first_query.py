"""Spark is called healthy once it has answered a query; when it does not, somebody is told why."""

import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest

from boathouse.kit.access import SparkAccess
from boathouse.kit.errors import BoathouseError, Unauthenticated, Unavailable
from boathouse.kit.settings import LogSettings
from boathouse.stack.logs import LogFile
from boathouse.stack.service import Broken, NotReady
from boathouse.stack.services import spark_first_query
from boathouse.stack.services.first_query import ATTEMPTS, TRY_AGAIN, FirstQuery
from tests.behaviour.stack.tiny_stack import SECRET
from tests.lakehouse_under_test import eventually

Asked = Callable[[str], FirstQuery]
MISSING = "echo 'Traceback' >&2; echo 'ModuleNotFoundError: No module named grpc_status' >&2; exit 1"


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    return LogFile(tmp_path / "spark.log", LogSettings())


@pytest.fixture
def asked(tmp_path: Path, log: LogFile) -> Iterator[Asked]:
    """A first query that a shell's script pretends to ask."""
    made: list[FirstQuery] = []
    access = SparkAccess(remote="sc://localhost:1", token=SECRET, catalog="lake")

    def ask(script: str) -> FirstQuery:
        made.append(FirstQuery(access, tmp_path / "first-query.log", log, ("/bin/sh", "-c", script)))
        return made[-1]

    yield ask
    for query in made:
        query.forget()


def outcome(query: FirstQuery) -> NotReady | None:
    """How one asking ended."""
    found: list[NotReady | None] = []

    def ended() -> bool:
        try:
            query.check()
        except NotReady as problem:
            if str(problem) == "answers its first query":
                return False
            found.append(problem)
        else:
            found.append(None)
        return True

    eventually(ended)
    return found[0]


def test_an_answer_is_enough(asked: Asked, log: LogFile) -> None:
    query = asked("cat > /dev/null; echo noise >&2")
    assert outcome(query) is None
    query.check()
    assert not log.path.exists()


def test_how_to_reach_the_server_comes_where_nobody_else_sees_it(asked: Asked, tmp_path: Path) -> None:
    assert outcome(asked(f"cat > '{tmp_path}/told'")) is None
    assert SparkAccess.model_validate_json((tmp_path / "told").read_text()).remote == "sc://localhost:1"


def test_while_it_is_asked_the_server_is_not_ready(asked: Asked) -> None:
    query = asked("exec sleep 60")
    for _ in range(2):
        with pytest.raises(NotReady, match="answers its first query"):
            query.check()


def test_a_query_that_fails_says_why_and_is_asked_again_a_few_times(asked: Asked, log: LogFile) -> None:
    query = asked(MISSING)
    outcomes = [outcome(query) for _ in range(ATTEMPTS)]
    assert [type(each) for each in outcomes] == [*[NotReady] * (ATTEMPTS - 1), Broken]
    assert {str(each) for each in outcomes} == {
        "did not answer its first query: ModuleNotFoundError: No module named grpc_status"
    }
    assert log.path.read_text().splitlines() == [
        "first query: Traceback",
        "first query: ModuleNotFoundError: No module named grpc_status",
    ]


def test_one_that_says_nothing_is_told_by_how_it_ended(asked: Asked) -> None:
    assert str(outcome(asked("exit 7"))) == "did not answer its first query: exit status 7"


@pytest.mark.parametrize("script", [f"echo busy >&2; exit {TRY_AGAIN}", "kill -9 $$"])
def test_a_server_that_is_only_slow_is_asked_as_long_as_it_may_take(asked: Asked, script: str) -> None:
    query = asked(script)
    assert {type(outcome(query)) for _ in range(ATTEMPTS + 1)} == {NotReady}


def test_what_a_query_said_before_it_was_given_up_is_kept(asked: Asked, log: LogFile, tmp_path: Path) -> None:
    query = asked(f"echo 'waits for a proxy' >&2; touch '{tmp_path}/said'; exec sleep 60")
    with pytest.raises(NotReady):
        query.check()
    eventually((tmp_path / "said").exists)
    query.forget()
    assert log.path.read_text() == "first query: waits for a proxy\n"


@pytest.mark.parametrize(
    ("error", "status"), [(Unavailable("no\nroute"), TRY_AGAIN), (Unauthenticated("no\nroute"), 1)]
)
def test_the_program_says_why_it_failed_and_whether_to_ask_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BoathouseError, status: int
) -> None:
    def open_session(_access: SparkAccess) -> None:
        raise error

    told = SparkAccess(remote="sc://localhost:1", token=SECRET, catalog="lake").model_dump_json()
    monkeypatch.setattr(sys, "stdin", StringIO(told))
    monkeypatch.setattr(spark_first_query, "open_session", open_session)
    assert spark_first_query.main() == status
    assert capsys.readouterr().err == "no route\n"
