"""`boathouse sql` on the running lakehouse."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from pyspark.errors import AnalysisException

from boathouse.engines.spark.attempts import attempt_session
from boathouse.kit.access import LakeAccess
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

EVERY_TYPE = """
    SELECT 1 AS whole, 1.20BD AS exact, CAST(0.1 AS FLOAT) AS single, double('NaN') AS strange, true AS yes,
           date '2026-01-02' AS day, timestamp '2026-01-02 03:04:05' AS at, timestamp_ntz '2026-01-02 03:04:05' AS local,
           CAST('ab' AS BINARY) AS bytes, array(1, NULL) AS several, map('k', struct(2.50BD AS x)) AS nested,
           parse_json('{"a": [1, true]}') AS open, 'a|b' AS text, '' AS blank, NULL AS nothing
"""


def as_json(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def orders(stack: LakehouseUnderTest) -> Iterator[str]:
    """A table with two snapshots: first one row, then three."""
    made = stack.cli(
        "sql",
        """
        CREATE NAMESPACE IF NOT EXISTS sql_tests;
        CREATE OR REPLACE TABLE sql_tests.orders (id BIGINT, city STRING);
        INSERT INTO sql_tests.orders VALUES (1, 'Oslo');
        INSERT INTO sql_tests.orders VALUES (2, 'Rome'), (3, NULL);
        """,
    )
    assert made.returncode == 0, made.stderr
    yield "sql_tests.orders"
    stack.cli("sql", "DROP TABLE sql_tests.orders PURGE; DROP NAMESPACE sql_tests")


def test_rows_go_to_standard_output_and_all_else_to_standard_error(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT 1 AS one")
    assert done.stdout.split() == ["one", "───", "1"]
    assert done.stderr.startswith("1 row (")


def test_what_returns_nothing_says_ok(stack: LakehouseUnderTest, orders: str) -> None:
    done = stack.cli("sql", f"DELETE FROM {orders} WHERE id > 1000")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("OK (")


def test_statements_share_a_session(stack: LakehouseUnderTest) -> None:
    statements = "CREATE TEMPORARY VIEW v AS SELECT ';' AS x; SELECT x FROM v"
    assert as_json(stack.cli("sql", statements, "--json")) == [{"x": ";"}]


def test_statements_are_read_from_a_file(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text("-- a comment; with a semicolon\nSELECT 1 AS one;\n")
    assert as_json(stack.cli("sql", "-f", str(file), "--json")) == [{"one": 1}]


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_statements_are_read_from_a_pipe(stack: LakehouseUnderTest, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "boathouse.cli.main", "sql", "--json", *arguments]
    done = subprocess.run(
        command, env=stack.env, input="SELECT 1 AS one", capture_output=True, text=True, timeout=120, check=False
    )
    assert as_json(done) == [{"one": 1}]


def test_every_type_has_its_json(stack: LakehouseUnderTest) -> None:
    assert as_json(stack.cli("sql", EVERY_TYPE, "--json")) == [
        {
            "whole": 1,
            "exact": 1.20,
            "single": 0.1,
            "strange": "NaN",
            "yes": True,
            "day": "2026-01-02",
            "at": "2026-01-02T03:04:05Z",
            "local": "2026-01-02T03:04:05",
            "bytes": "0x6162",
            "several": [1, None],
            "nested": {"k": {"x": 2.50}},
            "open": {"a": [1, True]},
            "text": "a|b",
            "blank": "",
            "nothing": None,
        }
    ]


def test_every_type_has_its_text(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", EVERY_TYPE, "--format", "csv")
    [row] = csv.DictReader(io.StringIO(done.stdout))
    assert row == {
        "whole": "1",
        "exact": "1.20",
        "single": "0.1",
        "strange": "NaN",
        "yes": "true",
        "day": "2026-01-02",
        "at": "2026-01-02 03:04:05Z",
        "local": "2026-01-02 03:04:05",
        "bytes": "0x6162",
        "several": "[1,null]",
        "nested": '{"k":{"x":2.50}}',
        "open": '{"a":[1,true]}',
        "text": "a|b",
        "blank": "",
        "nothing": "",
    }


def test_a_result_can_be_pasted_into_markdown(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT 'a|b' AS x, NULL AS y", "--format", "markdown")
    assert done.stdout == "| x | y |\n| --- | --- |\n| a\\|b | NULL |\n"


def test_a_long_table_is_cut_and_says_so(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT id FROM range(5)", "--limit", "3")
    assert done.stdout.split() == ["id", "──", "0", "1", "2"]
    assert "the first 3 rows; --limit shows more" in done.stderr


def test_a_table_that_just_fits_is_not_called_cut(stack: LakehouseUnderTest) -> None:
    assert stack.cli("sql", "SELECT id FROM range(3)", "--limit", "3").stderr.startswith("3 rows (")


def test_csv_is_whole(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT id FROM range(20000)", "--format", "csv")
    assert len(done.stdout.splitlines()) == 20001
    assert done.stderr.startswith("20,000 rows (")


def test_a_reader_that_stops_early_is_no_error_to_talk_about(stack: LakehouseUnderTest) -> None:
    command = [sys.executable, "-m", "boathouse.cli.main", "sql", "--format", "csv", "SELECT id FROM range(1000000)"]
    with subprocess.Popen(command, env=stack.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "id\n"
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_result_is_drawn(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT * FROM VALUES ('Oslo', 3), ('Rome', 6) AS t(city, n)", "--chart", "bar")
    oslo, rome = (line.count("▇") for line in done.stdout.splitlines() if "▇" in line)
    assert 0 < oslo < rome


def test_what_cannot_be_drawn_is_refused(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT 'x'", "--chart", "line")
    assert done.returncode == 3
    assert "no column of numbers" in done.stderr


def test_a_table_is_read_as_it_was_at_a_version(stack: LakehouseUnderTest, orders: str) -> None:
    [first, *_] = as_json(
        stack.cli(
            "sql",
            f"SELECT snapshot_id AS id, committed_at AS at FROM {orders}.snapshots ORDER BY committed_at",
            "--json",
        )
    )
    count = f"SELECT count(*) AS n FROM {orders}"
    assert as_json(stack.cli("sql", count, "--json")) == [{"n": 3}]
    assert as_json(stack.cli("sql", f"{count} VERSION AS OF {first['id']}", "--json")) == [{"n": 1}]
    assert as_json(stack.cli("sql", f"{count} TIMESTAMP AS OF '{first['at']}'", "--json")) == [{"n": 1}]


def test_an_error_points_at_its_place(stack: LakehouseUnderTest, orders: str) -> None:
    done = stack.cli("sql", f"SELECT 1;\nSELECT id,\n  citty\nFROM {orders}")
    assert done.returncode == 3
    assert "[UNRESOLVED_COLUMN.WITH_SUGGESTION]" in done.stderr
    assert "line 3:   citty\n          ^^^^^\n" in done.stderr
    assert "org.apache" not in done.stderr


def test_the_statements_before_an_error_were_run_and_those_after_it_were_not(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT 'before' AS x; SELEC; SELECT 'after' AS x")
    assert done.returncode == 3
    assert "before" in done.stdout
    assert "after" not in done.stdout


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("SELEC 1", 3),
        ("SELECT * FROM sql_tests.nothing", 4),
        ("SELECT * FROM csv.`/nowhere/at/all`", 4),
        ("CREATE TABLE sql_tests.orders (id INT)", 6),
        ("SELECT 1 / 0", 1),
        ("SELECT raise_error('no')", 1),
    ],
)
def test_the_exit_code_tells_what_kind_of_error_it_was(
    stack: LakehouseUnderTest, orders: str, statement: str, code: int
) -> None:
    done = stack.cli("sql", statement)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_each_statement_writes_an_array_of_its_own(stack: LakehouseUnderTest) -> None:
    done = stack.cli("sql", "SELECT 1 AS a; CREATE NAMESPACE IF NOT EXISTS of_arrays; SELECT 2 AS b", "--json")
    assert done.stdout == '[\n{"a":1}\n]\n[\n{"b":2}\n]\n'


def with_spark(stack: LakehouseUnderTest, home: Path, **changes: str) -> LakehouseUnderTest:
    """The same lakehouse, with something wrong about how Spark is reached."""
    access = json.loads(stack.access.model_dump_json())
    LakeAccess.model_validate({**access, "spark": {**access["spark"], **changes}}).save(home)
    return LakehouseUnderTest(home)


def test_a_server_that_does_not_answer_is_told_with_where_to_look(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    done = with_spark(stack, tmp_path, remote="sc://localhost:1").cli("sql", "SELECT 1")
    assert done.returncode == 5
    assert "Spark does not answer" in done.stderr
    assert "UserWarning" not in done.stderr
    assert "boathouse logs spark" in done.stderr
    assert stack.access.spark.token.get_secret_value() not in done.stderr


def test_a_wrong_token_is_refused(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    done = with_spark(stack, tmp_path, token="wrong").cli("sql", "SELECT 1")
    assert done.returncode == 7


def test_sql_of_a_run_takes_no_file_for_a_table(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    with attempt_session(stack.access.spark, str(uuid4()), 1) as session:
        assert session.sql("SELECT 1").collect()[0][0] == 1
        for path in (tmp_path / "secret", f"file://{tmp_path}/secret"):
            with pytest.raises(AnalysisException, match=r"TABLE_OR_VIEW_NOT_FOUND|UNSUPPORTED_DATASOURCE"):
                session.sql(f"SELECT * FROM text.`{path}`").collect()


def test_plain_files_in_the_object_store_are_read(stack: LakehouseUnderTest) -> None:
    folder = f"s3a://{stack.access.object_store.bucket}/sql_tests/files"
    written = stack.cli("sql", f"INSERT OVERWRITE DIRECTORY '{folder}' USING parquet SELECT 7 AS x")
    assert written.returncode == 0, written.stderr
    assert as_json(stack.cli("sql", f"SELECT x FROM parquet.`{folder}`", "--json")) == [{"x": 7}]
