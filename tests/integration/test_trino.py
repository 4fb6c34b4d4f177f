"""What only Trino has: the same tables as Spark, queries that end with their runs, and secrets that stay where they belong."""

import signal
from collections.abc import Callable, Generator

import pytest

from tests.behaviour.control.spoken_protocols import PASSWORD, TrinoSpoken, spoken
from tests.integration.control_process import ControlProcess
from tests.integration.sql_engines import SPARK, TRINO, Asked
from tests.integration.worker_process import WorkerProcess, Workspace, workers
from tests.lakehouse_under_test import LakehouseUnderTest, eventually
from tests.trino.server import TrinoServer

# Long enough for a busy machine: a worker that cannot beat in time loses its runs.
Start = Callable[..., WorkerProcess]
LEASE = ("--lease-seconds", "10")


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    with ControlProcess(tmp_path_factory.mktemp("control")) as control:
        yield control


@pytest.fixture(scope="module")
def workspace(control: ControlProcess, trino: TrinoServer) -> Generator[Workspace]:
    workspace = Workspace(control)
    workspace.connection("trino", "trino", {"address": trino.url, "user": "reader", "catalog": "lake"})
    yield workspace
    workspace.http.close()


@pytest.fixture
def start(control: ControlProcess, stack: LakehouseUnderTest) -> Generator[Start]:
    with workers(control, stack.home) as start:

        def with_keys(name: str, *more: str) -> WorkerProcess:
            return start(name, "--keys", str(control.directory / "keys.json"), *more)

        yield with_keys


@pytest.fixture
def worker(start: Start) -> WorkerProcess:
    return start("trino")


@pytest.fixture
def asked(workspace: Workspace) -> Asked:
    return Asked(workspace, TRINO)


def test_its_connection_is_tested_step_by_step(workspace: Workspace) -> None:
    def messages() -> list[str]:
        told = workspace.http.post("/connections/trino/test", timeout=120).raise_for_status().json()
        return [step["message"] for step in told["steps"]]

    # One that has just started may take longer for its first statements than a test of a connection waits.
    eventually(lambda: messages()[3:5] == ["It is Trino 476.", "reader may ask questions."])
    eventually(lambda: messages()[-1].startswith("lake has "))


def test_it_reads_and_writes_the_same_tables_as_spark(asked: Asked, worker: WorkerProcess) -> None:
    spark = Asked(asked.workspace, SPARK)
    spark.run("CREATE NAMESPACE IF NOT EXISTS lake.both LOCATION 's3://lakehouse/warehouse/both'")
    made = spark.run(
        "CREATE TABLE lake.both.trips (id BIGINT, fare DECIMAL(9, 2), at TIMESTAMP, tags ARRAY<STRING>)"
        " USING iceberg PARTITIONED BY (days(at)) TBLPROPERTIES ('format-version' = '2');"
        " INSERT INTO lake.both.trips VALUES (1, 1.20, TIMESTAMP '2026-01-31 03:04:05.123456Z', array('a'))"
    )
    assert made["state"] == "succeeded", spark.workspace.log(made["id"])
    row = [1, "1.20", "2026-01-31T03:04:05.123456+00:00", ["a"]]
    assert asked.page("SELECT * FROM both.trips")["rows"] == [row]
    run = asked.run(
        "INSERT INTO both.trips VALUES (2, 3.4, TIMESTAMP '2026-02-01 00:00:00 UTC', ARRAY[]);"
        " UPDATE both.trips SET fare = fare * 2 WHERE id = 1; DELETE FROM both.trips WHERE id = 3"
    )
    assert run["state"] == "succeeded", asked.workspace.log(run["id"])
    assert "1 rows changed" in asked.workspace.log(run["id"])
    rows = spark.page("SELECT id, fare, size(tags) FROM lake.both.trips ORDER BY id")["rows"]
    assert rows == [[1, "2.40", 1], [2, "3.40", 0]]
    spark.run("ALTER TABLE lake.both.trips ADD COLUMN seats INT; UPDATE lake.both.trips SET seats = 4 WHERE id = 2")
    assert asked.page("SELECT id, seats FROM both.trips ORDER BY id")["rows"] == [[1, None], [2, 4]]
    assert asked.page("CREATE TABLE both.made AS SELECT 7 AS n; SELECT n FROM both.made")["rows"] == [[7]]
    assert spark.page("SELECT n FROM lake.both.made")["rows"] == [[7]]


def test_a_stop_ends_the_query_on_the_server(asked: Asked, trino: TrinoServer, worker: WorkerProcess) -> None:
    run_id = asked.submit(f"{TRINO.endless} -- stopped")
    asked.workspace.wait_until(run_id, lambda run: bool(run["progress"]))
    asked.workspace.http.post(f"/runs/{run_id}/stop").raise_for_status()
    assert asked.workspace.ended(run_id)["state"] == "cancelled"
    eventually(lambda: [query["state"] for query in trino.queries("-- stopped")] == ["FAILED"])
    assert trino.queries("-- stopped")[0]["errorCode"]["name"] == "USER_CANCELED"


def test_rows_enough_end_the_query_on_the_server(asked: Asked, trino: TrinoServer, worker: WorkerProcess) -> None:
    run = asked.run("SELECT * FROM tpch.sf1000.lineitem -- enough", rows=5)
    assert (run["state"], run["result"]["rows"]) == ("succeeded", 5)
    eventually(lambda: [query["state"] for query in trino.queries("-- enough")] == ["FAILED"])


def test_a_killed_workers_query_is_ended_before_another_takes_its_place(
    asked: Asked, trino: TrinoServer, start: Start
) -> None:
    doomed = start("doomed", *LEASE)
    run_id = asked.submit(f"{TRINO.endless} -- doomed")
    asked.workspace.wait_until(run_id, lambda run: bool(run["progress"]))
    doomed.end(signal.SIGKILL)
    start("heir", *LEASE)
    asked.workspace.wait_until(run_id, lambda run: run["attempt"] == 2 and bool(run["progress"]))
    states = {query["session"]["source"]: query for query in trino.queries("-- doomed") if "EXECUTE" not in query}
    first, second = (states[f"boathouse/{run_id}/{number}"] for number in (1, 2))
    assert (first["state"], first["errorCode"]["name"]) == ("FAILED", "ADMINISTRATIVELY_KILLED")
    assert second["state"] == "RUNNING"
    asked.workspace.http.post(f"/runs/{run_id}/stop").raise_for_status()
    assert asked.workspace.ended(run_id)["state"] == "cancelled"


def test_a_transaction_left_open_is_rolled_back(asked: Asked, trino: TrinoServer, worker: WorkerProcess) -> None:
    run = asked.run("START TRANSACTION; SELECT 1")
    assert run["state"] == "succeeded", asked.workspace.log(run["id"])
    sources = [query["session"]["source"] for query in trino.queries("ROLLBACK")]
    assert sources == [f"boathouse/{run['id']}/1"]


def test_a_connection_stays_as_long_as_a_job_needs_it_and_none_is_made_with_one_that_is_gone(asked: Asked) -> None:
    workspace = asked.workspace
    workspace.connection("leaving", "trino", {"address": "http://127.0.0.1:1", "user": "reader"})
    workspace.job("left-behind", kind="sql", spec={"sql": "SELECT 1", "connection": "leaving"})
    kept = workspace.http.delete("/connections/leaving")
    assert (kept.status_code, "The job left-behind needs the connection leaving" in kept.text) == (409, True)
    workspace.http.delete("/jobs/left-behind").raise_for_status()
    workspace.http.delete("/connections/leaving").raise_for_status()
    refused = workspace.http.put(
        "/jobs/left-again", json={"kind": "sql", "spec": {"sql": "1", "connection": "leaving"}}
    )
    assert (refused.status_code, "no connection 'leaving'" in refused.text) == (400, True)


def test_nobody_there_is_said_on_the_run(asked: Asked, worker: WorkerProcess) -> None:
    asked.workspace.connection("away", "trino", {"address": "http://127.0.0.1:1", "user": "reader"})
    asked.workspace.job("away", kind="sql", spec={"sql": "SELECT 1", "connection": "away"}, retries={"count": 0})
    run = asked.workspace.ended(asked.workspace.submit("away"))
    assert run["error"].startswith("Trino at http://127.0.0.1:1 does not answer")


def test_a_secret_reaches_the_server_and_no_log(asked: Asked, worker: WorkerProcess) -> None:
    """On a server of ours: Trino itself takes passwords only over TLS."""
    workspace = asked.workspace
    with spoken(TrinoSpoken) as address:
        config = {"address": address, "user": "reader"}
        workspace.connection("guarded", "trino", config, {"password": PASSWORD})
        workspace.job("guarded", kind="sql", spec={"sql": "SELECT 1", "connection": "guarded"})
        run = workspace.ended(workspace.submit("guarded"))
        assert asked.rows(run)["rows"] == [["north"], ["south"]]
        workspace.connection("wrong", "trino", config, {"token": f"{PASSWORD}-not"})
        workspace.job("wrong", kind="sql", spec={"sql": "SELECT 1", "connection": "wrong"}, retries={"count": 0})
        refused = workspace.ended(workspace.submit("wrong"))
    assert "login is refused" in refused["error"]
    kept = [refused["error"], *workspace.log(run["id"]), *workspace.log(refused["id"]), worker.log.read_text()]
    assert not [text for text in kept if PASSWORD in text]
