"""The embedded ClickHouse is killed, stopped and started twice: what was answered is there, and nothing else."""

import threading
import time
from pathlib import Path

import httpx
import pytest

from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.service import Impaired, Site
from boathouse.stack.services.clickhouse import ClickHouse
from tests.integration.clickhouse_process import DATABASE, PASSWORD, USER, ClickHouseProcess
from tests.lakehouse_under_test import eventually

TABLE = "CREATE TABLE t (batch UInt64, n UInt64) ENGINE = MergeTree ORDER BY (batch, n) SETTINGS non_replicated_deduplication_window = 100"
SUMS = "CREATE TABLE sums (batch UInt64, n UInt64) ENGINE = SummingMergeTree ORDER BY batch SETTINGS non_replicated_deduplication_window = 100"
VIEW = "CREATE MATERIALIZED VIEW v TO sums AS SELECT batch, count() AS n FROM t GROUP BY batch"
ROWS = 5000


def insert(server: ClickHouseProcess, batch: int) -> httpx.Response:
    content = b"".join(b"%d,%d\n" % (batch, n) for n in range(ROWS))
    return server.ask("INSERT INTO t FORMAT CSV", content, insert_deduplication_token=f"batch {batch}")


def test_no_answered_insert_is_lost_when_it_is_killed(tmp_path: Path) -> None:
    answered, batch = set[int](), 0
    server = ClickHouseProcess(tmp_path)
    with server:
        for statement in (TABLE, SUMS, VIEW):
            server.told(statement)
        for delay in (0.3, 0.55, 0.8):
            killing = threading.Timer(delay, server.kill)
            killing.start()
            try:
                while True:
                    batch += 1
                    if insert(server, batch).status_code == 200:
                        answered.add(batch)
            except httpx.TransportError:
                killing.join()
            server.start()
            there = {int(n) for n in server.told("SELECT DISTINCT batch FROM t").split()}
            assert answered <= there
            assert there - answered <= {batch}, "only the one in whose middle it was killed may be there unanswered"
            # Repeated with its token it counts once, in the table and in what is made of it, however far it had come.
            assert insert(server, batch).status_code == 200
            answered.add(batch)
        assert (
            server.told("SELECT count(), uniqExact(batch, n) FROM t")
            == f"{len(answered) * ROWS}\t{len(answered) * ROWS}"
        )
        assert server.told("SELECT sum(n), max(n) FROM (SELECT batch, sum(n) AS n FROM sums GROUP BY batch)") == (
            f"{len(answered) * ROWS}\t{ROWS}"
        )


def test_killed_in_the_middle_of_a_large_insert_it_opens_again(tmp_path: Path) -> None:
    server = ClickHouseProcess(tmp_path)
    with server:
        server.told(TABLE)
        threading.Timer(1.0, server.kill).start()
        line = b"1,2\n" * 100_000
        told = {"query": "INSERT INTO t FORMAT CSV", "database": DATABASE}
        with server.http() as client, pytest.raises(httpx.TransportError):
            client.post("/", params=told, content=(line for _ in range(100_000)))
        server.start()
        assert server.told("SELECT count() FROM t") == "0"
        assert not list((tmp_path / "data" / "scratch").iterdir()), "what was half taken in is not kept"


def test_told_to_stop_it_lets_short_queries_end_and_cancels_long_ones(tmp_path: Path) -> None:
    server = ClickHouseProcess(tmp_path, STOP_SECONDS="1.5")
    answers: dict[str, httpx.Response] = {}
    with server:
        server.told(TABLE)

        def ask(name: str, query: str) -> None:
            answers[name] = server.ask(query)

        queries = {"short": "SELECT sleep(1)", "long": "SELECT count() FROM numbers(1e13) WHERE sipHash64(number) = 1"}
        asking = [threading.Thread(target=ask, args=pair) for pair in queries.items()]
        for thread in asking:
            thread.start()
        time.sleep(0.5)
        began = time.monotonic()
        assert server.stop(seconds=15) == 0
        assert time.monotonic() - began < 10
        for thread in asking:
            thread.join()
    assert answers["short"].text == "0\n"
    assert answers["long"].headers["X-ClickHouse-Exception-Code"] == "394"


def test_stopped_and_started_again_it_has_its_tables(tmp_path: Path) -> None:
    with ClickHouseProcess(tmp_path) as server:
        server.told(TABLE)
        assert insert(server, 1).status_code == 200
    with ClickHouseProcess(tmp_path) as server:
        assert insert(server, 1).status_code == 200
        assert server.told("SELECT count() FROM t") == str(ROWS)


def service_of(server: ClickHouseProcess, home: Path) -> ClickHouse:
    """As the stack looks after it."""
    given = {"uri": server.uri, "user": USER, "password": PASSWORD, "database": DATABASE}
    settings = Settings.model_validate({"home": home, "clickhouse": given})
    ports = {name: number for number, name in enumerate(("object-store", "catalog", "spark", "spark.ui"))}
    return ClickHouse(Site(settings, Home(home), ports, lake_access(settings, Home(home), ports), {}))


def test_one_that_runs_as_many_queries_as_it_may_is_not_started_anew(tmp_path: Path) -> None:
    with ClickHouseProcess(tmp_path, MAX_QUERIES="2") as server:
        service = service_of(server, tmp_path / "home")
        service.check()

        def ask() -> None:
            # The check takes a place among them too, for a moment.
            while "Too many" in server.ask("SELECT sleepEachRow(1) FROM numbers(6) SETTINGS max_block_size = 1").text:
                pass

        asking = [threading.Thread(target=ask) for _ in range(2)]
        for thread in asking:
            thread.start()
        busy = list[Impaired]()

        def is_busy() -> bool:
            try:
                service.check()
            except Impaired as problem:
                busy.append(problem)
            return bool(busy)

        eventually(is_busy)
        assert "Too many simultaneous queries" in str(busy[0])
        for thread in asking:
            thread.join()
        service.check()


def test_a_directory_has_one_process(tmp_path: Path) -> None:
    with ClickHouseProcess(tmp_path), pytest.raises(AssertionError, match="is in use by another process"):
        ClickHouseProcess(tmp_path).start()


def test_nothing_secret_is_logged_or_told(tmp_path: Path) -> None:
    with ClickHouseProcess(tmp_path) as server:
        server.told("SELECT {p:String} AS hidden", param_p="a-secret-parameter")
        server.ask("SELECT 'a-secret-in-sql' FROM nowhere")
        assert PASSWORD not in Path(f"/proc/{server.pid}/cmdline").read_text()
        figures = httpx.get(f"{server.uri}/metrics", trust_env=False).text
        assert 'clickhouse_queries_total{kind="select",outcome="UNKNOWN_TABLE"} 1.0' in figures
    log = server.log.read_text()
    assert '"kind":"select"' in log
    assert not any(secret in log for secret in (PASSWORD, "a-secret-parameter", "a-secret-in-sql"))
