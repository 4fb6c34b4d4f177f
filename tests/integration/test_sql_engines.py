"""SQL as a job on each engine: what they promise alike, asked of the real ones."""

from collections.abc import Generator

import pytest

from tests.integration.control_process import ControlProcess
from tests.integration.sql_engines import SPARK, TRINO, TYPES, VALUES, Asked, Engine
from tests.integration.worker_process import Workspace, workers
from tests.lakehouse_under_test import LakehouseUnderTest
from tests.trino.server import TrinoServer


@pytest.fixture(scope="module")
def workspace(
    stack: LakehouseUnderTest, trino: TrinoServer, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Workspace]:
    """With a connection to Trino, and a worker."""
    with ControlProcess(tmp_path_factory.mktemp("control")) as control, workers(control, stack.home) as start:
        start("engines", "--keys", str(control.directory / "keys.json"))
        workspace = Workspace(control)
        config = {"address": trino.url, "user": "reader", "catalog": "lake"}
        workspace.connection("trino", "trino", config)
        yield workspace
        workspace.http.close()


@pytest.fixture(params=[SPARK, TRINO], ids=lambda engine: engine.name)
def asked(request: pytest.FixtureRequest, workspace: Workspace) -> Asked:
    return Asked(workspace, request.param)


@pytest.fixture
def engine(asked: Asked) -> Engine:
    return asked.engine


def test_values_of_every_type_arrive_as_they_are(asked: Asked, engine: Engine) -> None:
    columns = ", ".join(f"{expression} AS {name}" for name, expression in engine.types.items())
    page = asked.page(f"SELECT {columns}")
    names = [column["name"] for column in page["columns"]]
    assert dict(zip(names, page["rows"][0], strict=True)) == VALUES
    assert {column["name"]: column["type"] for column in page["columns"]}.items() >= TYPES.items()


def test_parameters_are_values_whatever_is_in_them(asked: Asked) -> None:
    text = "'; DROP TABLE x; -- :n ☂"
    values = {"text": text, "n": -(2**63), "half": 0.5, "yes": True}
    page = asked.page("SELECT :text AS a, :n AS b, :half AS c, :yes AS d, ':n' AS e, :text AS f -- :n", values=values)
    assert page["rows"] == [[text, str(-(2**63)), 0.5, True, ":n", text]]


def test_dates_and_times_are_bound_as_such(asked: Asked) -> None:
    parameters = [{"name": "day", "type": "date", "default": "2026-01-31"}]
    parameters += [{"name": "at", "type": "timestamp", "default": "2026-01-31T03:04:05+02:00"}]
    page = asked.page("SELECT :day + INTERVAL '1' DAY = DATE '2026-02-01', :at", parameters=parameters)
    assert page["rows"] == [[True, "2026-01-31T01:04:05+00:00"]]


def test_rows_are_paged_and_no_more_are_kept_than_wanted(asked: Asked, engine: Engine) -> None:
    run = asked.run(f"SELECT id FROM {engine.numbers} ORDER BY id", values={"n": 40}, rows=30)
    assert (run["state"], run["result"]["rows"], run["result"]["truncated"]) == ("succeeded", 30, True)
    page = asked.rows(run, 20, 5)
    assert (page["rows"], page["next"], page["total"]) == ([[number] for number in range(20, 25)], "25", 30)
    assert asked.rows(run, 25)["next"] is None
    all_of_them = asked.page(f"SELECT id FROM {engine.numbers}", values={"n": 30}, rows=30)
    assert (len(all_of_them["rows"]), all_of_them["truncated"]) == (30, False)


def test_a_result_without_rows_has_its_columns(asked: Asked) -> None:
    page = asked.page("SELECT 1 AS a, 'x' AS b WHERE 1 = 0")
    assert ([column["name"] for column in page["columns"]], page["rows"], page["total"]) == (["a", "b"], [], 0)


def test_statements_share_a_session_and_the_last_result_is_kept(asked: Asked, engine: Engine) -> None:
    schema = f"engines_{engine.name}"
    page = asked.page(
        f"{engine.new_schema.format(schema)}; USE lake.{schema};\n"
        "CREATE TABLE boats (id INT, name VARCHAR(20)); -- a ; in a comment\n"
        "INSERT INTO boats VALUES (1, 'one; two'), (2, 'three');\n"
        "SELECT 0; SELECT name FROM boats ORDER BY id; DELETE FROM boats WHERE id = 2;"
    )
    assert page["rows"] == [["one; two"], ["three"]]
    assert asked.page(f"SELECT count(*) FROM lake.{schema}.boats")["rows"] == [[1]]


def test_an_error_names_its_kind_and_points_at_its_place(asked: Asked) -> None:
    run = asked.run("SELECT 1;\n\nSELECT :n,\n       nothing FROM (SELECT 1 AS one) AS t", values={"n": 1})
    assert run["state"] == "failed"
    assert "nothing" in run["error"]
    log = [line for text in asked.workspace.log(run["id"]) for line in text.splitlines()]
    at = next(number for number, line in enumerate(log) if line.startswith("line 4:        nothing"))
    assert log[at + 1].index("^") == log[at].index("nothing")
    assert "^^^^^^^" in log[at + 1]


def test_a_table_that_is_not_there_is_said_to_be_missing(asked: Asked) -> None:
    run = asked.run("SELECT * FROM lake.nowhere.nothing")
    assert (run["state"], "nothing" in run["error"]) == ("failed", True)


def test_a_statement_under_way_tells_its_progress_and_can_be_stopped(asked: Asked, engine: Engine) -> None:
    run_id = asked.submit(engine.endless)
    run = asked.workspace.wait_until(run_id, lambda run: bool(run["progress"] and run["progress"]["tasks"]))
    assert run["progress"].keys() >= {"tasks_done", "tasks", "stages_done", "stages", "bytes_read"}
    asked.workspace.http.post(f"/runs/{run_id}/stop").raise_for_status()
    run = asked.workspace.ended(run_id)
    assert (run["state"], run["error"]) == ("cancelled", "Stopped by admin.")


def test_a_query_at_once_is_asked_of_the_engine_and_the_history_says_which(asked: Asked, engine: Engine) -> None:
    wanted = {
        **engine.spec("SELECT :a + 1 AS b"),
        "parameters": [{"name": "a", "type": "integer"}],
        "values": {"a": 1},
    }
    query = asked.workspace.http.post("/queries", json=wanted).raise_for_status().json()
    run = asked.workspace.ended(query["run_id"])
    assert asked.rows(run)["rows"] == [[2]], asked.workspace.log(run["id"])
    told = asked.workspace.http.get(f"/queries/{query['id']}").json()
    assert (told["engine"], told["connection"], told["state"]) == (engine.name, engine.connection, "succeeded")
