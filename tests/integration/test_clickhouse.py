"""ClickHouse over HTTP: one suite over the embedded engine and over the program, where there is one."""

import contextlib
import datetime as dt
import gzip
import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import httpx
import pyarrow as pa
import pytest
from clickhouse_connect.driver.exceptions import DatabaseError, StreamFailureError
from clickhouse_connect.driver.external import ExternalData

from boathouse.control.connections import steps
from boathouse.control.connections.kinds import KINDS
from tests.integration.clickhouse_process import DATABASE, PASSWORD, PROGRAM, USER, ClickHouseProcess
from tests.lakehouse_under_test import eventually

NO_PROGRAM = pytest.mark.skipif(PROGRAM is None, reason="no program `clickhouse` on PATH")


@pytest.fixture(scope="module", params=["embedded", pytest.param("program", marks=NO_PROGRAM)])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseProcess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), request.param) as started:
        yield started


@pytest.fixture
def table(server: ClickHouseProcess, request: pytest.FixtureRequest) -> str:
    name = request.node.originalname
    server.told(f"DROP TABLE IF EXISTS {name}")
    server.told(f"CREATE TABLE {name} (k UInt64, v String, d Date DEFAULT '2026-01-01') ENGINE = MergeTree ORDER BY k")
    return name


class TestLogin:
    @pytest.mark.parametrize("path", ["/ping", "/replicas_status"])
    def test_nobody_is_asked_whether_it_lives(self, server: ClickHouseProcess, path: str) -> None:
        assert httpx.get(f"{server.uri}{path}", trust_env=False).text == "Ok.\n"

    @pytest.mark.parametrize(
        ("headers", "parameters"),
        [
            ({}, {}),
            ({"X-ClickHouse-User": USER}, {}),
            ({"X-ClickHouse-User": USER, "X-ClickHouse-Key": "wrong"}, {}),
            ({"X-ClickHouse-User": "default", "X-ClickHouse-Key": PASSWORD}, {}),
            ({"Authorization": "Basic cmVhZGVyOndyb25n"}, {}),
            ({"Authorization": "Basic %%%"}, {}),
            ({"Authorization": "Bearer abc"}, {}),
            ({}, {"user": USER, "password": "wrong"}),
            ({}, {"user": USER, "password": "w\u00f6rong"}),
        ],
    )
    def test_is_refused(self, server: ClickHouseProcess, headers: dict[str, str], parameters: dict[str, str]) -> None:
        told = {"query": "SELECT 1", **parameters}
        response = httpx.get(server.uri, params=told, headers=headers, trust_env=False)
        assert response.status_code in {401, 403}
        assert PASSWORD not in response.text
        if server.kind == "embedded":
            assert response.headers["X-ClickHouse-Exception-Code"] == "516"
            assert response.text.startswith("Code: 516. DB::Exception: ")

    def test_is_taken_in_every_way(self, server: ClickHouseProcess) -> None:
        ask = {"query": "SELECT 1"}
        by_header = {"X-ClickHouse-User": USER, "X-ClickHouse-Key": PASSWORD}
        assert httpx.get(server.uri, params=ask, headers=by_header, trust_env=False).text == "1\n"
        assert httpx.get(server.uri, params=ask, auth=(USER, PASSWORD), trust_env=False).text == "1\n"
        by_parameters = {**ask, "user": USER, "password": PASSWORD}
        assert httpx.get(server.uri, params=by_parameters, trust_env=False).text == "1\n"

    async def test_a_connection_of_the_control_plane_is_tested(self, server: ClickHouseProcess) -> None:
        config = {"address": server.uri, "user": USER, "database": DATABASE}
        kind = KINDS["clickhouse"]
        outcome = await steps.take_all(kind.steps(kind.config.model_validate(config), {"password": PASSWORD}))
        assert outcome.ok, outcome
        wrong = kind.config.model_validate({**config, "database": "none"})
        assert "81" in (await steps.take_all(kind.steps(wrong, {"password": PASSWORD}))).steps[-1].message
        refused = await steps.take_all(kind.steps(wrong, {"password": "wrong"}))
        assert "login is refused" in refused.steps[-1].message


class TestAnswers:
    def test_formats_and_headers(self, server: ClickHouseProcess) -> None:
        response = server.ask("SELECT 1 AS a FORMAT JSON", query_id="that-one")
        assert response.json()["data"] == [{"a": 1}]
        assert response.headers["X-ClickHouse-Query-Id"] == "that-one"
        assert response.headers["X-ClickHouse-Format"] == "JSON"
        assert response.headers["Content-Type"].startswith("application/json")
        assert response.headers["X-ClickHouse-Timezone"]
        assert json.loads(response.headers["X-ClickHouse-Summary"])["result_rows"] == "1"
        assert server.told("SELECT 1 AS a", default_format="CSVWithNames") == '"a"\n1'
        assert server.told("SELECT 1 AS a;  -- so far") == "1"
        assert server.told("SHOW DATABASES LIKE 'speed'") == "speed"
        assert server.told("SELECT 1 AS a WHERE 0 FORMAT TSVWithNames") == "a"

    @pytest.mark.parametrize(
        ("output", "content_type"),
        [
            ("JSONCompact", "application/json; charset=UTF-8"),
            ("JSONStrings", "application/json; charset=UTF-8"),
            ("JSONEachRow", "application/x-ndjson; charset=UTF-8"),
            ("TSV", "text/tab-separated-values; charset=UTF-8"),
            ("TSVWithNames", "text/tab-separated-values; charset=UTF-8"),
            ("TabSeparatedWithNamesAndTypes", "text/tab-separated-values; charset=UTF-8"),
            ("CSV", "text/csv; charset=UTF-8; header=absent"),
            ("CSVWithNamesAndTypes", "text/csv; charset=UTF-8; header=present"),
            ("Vertical", "text/plain; charset=UTF-8"),
            ("Native", "application/octet-stream"),
        ],
    )
    def test_say_what_they_are(self, server: ClickHouseProcess, output: str, content_type: str) -> None:
        assert server.ask("SELECT 1", default_format=output).headers["Content-Type"] == content_type

    @pytest.mark.parametrize(
        ("query", "status", "code"),
        [
            ("SELECT * FROM nowhere", 404, 60),
            ("SELECT nothing", 404, 47),
            ("SELEC 1", 400, 62),
            ("", 400, 62),
            ("SELECT 1; SELECT 2", 400, 62),
            ("SELECT throwIf(1)", 500, 395),
            ("SELECT 1 FORMAT Nothing", 404, 73),
            ("SELECT toInt8('x')", 400, 6),
            ("INSERT INTO nowhere FORMAT CSV\n1", 404, 60),
        ],
    )
    def test_errors_are_as_clickhouse_writes_them(
        self, server: ClickHouseProcess, query: str, status: int, code: int
    ) -> None:
        response = server.ask(query)
        assert (response.status_code, response.headers["X-ClickHouse-Exception-Code"]) == (status, str(code))
        assert response.text.startswith(f"Code: {code}. DB::Exception: ")

    @pytest.mark.parametrize(
        ("parameters", "status", "code"),
        [
            ({"database": "nowhere"}, 404, 81),
            ({"no_such_setting": "1"}, 404, 115),
            ({"max_threads = 1; DROP DATABASE speed; SET a": "1"}, 404, 115),
            ({"default_format": "CSV; DROP DATABASE speed"}, 404, 73),
            ({"database": "speed`; DROP DATABASE speed"}, 404, 81),
        ],
    )
    def test_wrong_parameters(
        self, server: ClickHouseProcess, parameters: dict[str, str], status: int, code: int
    ) -> None:
        response = server.ask("SELECT 1", None, **parameters)
        assert (response.status_code, response.headers["X-ClickHouse-Exception-Code"]) == (status, str(code))

    @pytest.mark.parametrize("path", ["/nowhere", "/ping/more", "/%2e%2e/etc/passwd"])
    def test_there_is_nothing_elsewhere(self, server: ClickHouseProcess, path: str) -> None:
        with server.http() as client:
            assert client.get(path).status_code == 404

    def test_the_servers_files_are_not_written_to(self, server: ClickHouseProcess) -> None:
        for query in ("SELECT 1 INTO OUTFILE '/tmp/of-a-client'", "INSERT INTO x FROM INFILE '/etc/passwd' FORMAT CSV"):
            assert server.ask(query).status_code >= 400

    def test_oversize_headers_are_refused_and_it_lives(self, server: ClickHouseProcess) -> None:
        with server.http() as client, contextlib.suppress(httpx.TransportError):
            assert client.get("/ping", headers={"X-Long": "x" * (2 << 20)}).status_code >= 400
        assert server.told("SELECT 1") == "1"

    def test_an_address_that_is_too_long_is_refused_and_it_lives(self, server: ClickHouseProcess) -> None:
        with server.http() as client:
            assert client.get("/", params={"query": f"SELECT length('{'x' * 60_000}')"}).text == "60000\n"
        # The embedded one takes 64 KiB, the program 1 MiB. Clients have limits of their own.
        limit = 64 << 10 if server.kind == "embedded" else 1 << 20
        with contextlib.closing(HTTPConnection("127.0.0.1", server.port)) as client:
            client.request("GET", f"/?query={'x' * limit}")
            assert client.getresponse().status in {400, 414}
        assert server.told("SELECT 1") == "1"

    def test_get_only_reads(self, server: ClickHouseProcess, table: str) -> None:
        with server.http() as client:
            for query in (
                f"DROP TABLE {table}",
                f"INSERT INTO {table} (k) VALUES (1)",
                f"INSERT INTO {table} (k) SELECT 1",
            ):
                for session in ({}, {"session_id": "reads"}):
                    response = client.get("/", params={"query": query, "database": DATABASE, **session})
                    assert response.headers["X-ClickHouse-Exception-Code"] == "164", query
            assert client.get("/", params={"query": f"SELECT count() FROM {DATABASE}.{table}"}).text == "0\n"
            assert client.get("/").text == "Ok.\n"

    @pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd", "br"])
    def test_encoded_answers(self, server: ClickHouseProcess, encoding: str) -> None:
        if encoding == "zstd":
            pytest.importorskip("zstandard")
        for rows in (1, 1_000_000):
            with server.http(headers={"Accept-Encoding": encoding}) as client:
                asked = {"query": f"SELECT number FROM numbers({rows})", "enable_http_compression": "1"}
                response = client.get("/", params=asked)
            assert response.headers["Content-Encoding"] == encoding
            assert response.text.splitlines()[-1] == str(rows - 1)


class TestSettings:
    def test_hold_for_one_query(self, server: ClickHouseProcess) -> None:
        query = "SELECT getSetting('max_block_size')"
        assert server.told(query, max_block_size="77") == "77"
        assert server.told(query) != "77"

    def test_of_a_request_do_not_stay_in_its_session(self, server: ClickHouseProcess) -> None:
        query = "SELECT getSetting('max_block_size')"
        session = {"session_id": "settings"}
        server.told("SET max_block_size = 11", **session)
        assert server.told(query, **session) == "11"
        assert server.told(query, **session, max_block_size="77") == "77"
        assert server.told(query, **session) == "11"

    def test_of_a_session_are_as_they_were_whatever_signs_they_have(self, server: ClickHouseProcess) -> None:
        session, name = {"session_id": "signs"}, "format_custom_row_after_delimiter"
        query = f"SELECT getSetting('{name}') = '\\t\\\\ \\n\\''"
        server.told(f"SET {name} = '\\t\\\\ \\n\\''", **session)
        assert server.told(query, **session) == "1"
        assert server.told(query, **session, **{name: "another"}) == "0"
        assert server.told(query, **session) == "1"

    @pytest.mark.parametrize("value", ["1", "2"])
    def test_a_query_of_a_session_only_reads_and_the_next_writes(
        self, server: ClickHouseProcess, table: str, value: str
    ) -> None:
        session = {"session_id": f"readonly {value}"}
        insert = f"INSERT INTO {table} (k) VALUES (1)"
        for _ in range(2):
            for query in (
                "SELECT getSetting('readonly')",
                "SELECT getSetting('readonly') FORMAT CSV SETTINGS max_threads = 1",
            ):
                assert server.ask(query, None, **session, readonly=value).text == f"{value}\n"
            assert table in server.told("SHOW TABLES", **session, readonly=value).split()
            for query in (insert, f"INSERT INTO {table} (k) SELECT 1", f"DROP TABLE {table}"):
                refused = server.ask(query, None, **session, readonly=value)
                assert refused.headers["X-ClickHouse-Exception-Code"] == "164", query
            server.told(insert, **session)
        assert server.told(f"SELECT count() FROM {table}", **session, readonly=value) == "2"

    def test_one_that_only_reads_changes_no_settings_and_opens_no_files(self, server: ClickHouseProcess) -> None:
        session = {"session_id": "readonly"}
        for query in ("SET max_threads = 1", "SELECT * FROM file('x.csv', 'CSV', 'a Int8')"):
            refused = server.ask(query, None, **session, readonly="1")
            assert refused.headers["X-ClickHouse-Exception-Code"] == "164", query
        server.told("SET max_threads = 1", **session, readonly="2")
        assert server.told("SELECT getSetting('max_threads')", **session) == "1"
        if server.kind == "embedded":
            # It could not be taken back.
            assert server.ask("SET readonly = 1", None, **session).headers["X-ClickHouse-Exception-Code"] == "48"
            assert server.told("SELECT getSetting('max_threads')", **session) == "1"

    def test_parameters(self, server: ClickHouseProcess) -> None:
        query = "SELECT {n:Int32} + 1, {s:String}, {a:Array(String)}, {none:Nullable(String)}"
        told = {"param_n": "41", "param_s": "it's\\ta", "param_a": "['x', 'y']", "param_none": "\\N"}
        assert server.told(query, **told) == "42\tit\\'s\\ta\t['x','y']\t\\N"
        assert server.ask(query).headers["X-ClickHouse-Exception-Code"] == "456"

    def test_time_is_limited(self, server: ClickHouseProcess) -> None:
        began = time.monotonic()
        response = server.ask("SELECT count() FROM numbers(1e12) WHERE sipHash64(number) = 1", max_execution_time="1")
        assert response.headers["X-ClickHouse-Exception-Code"] == "159"
        assert response.status_code == 408
        assert time.monotonic() - began < 10


class TestSessions:
    def test_hold_temporary_tables(self, server: ClickHouseProcess) -> None:
        server.told("CREATE TEMPORARY TABLE mine (a Int32)", session_id="holding")
        server.told("INSERT INTO mine VALUES (5)", session_id="holding")
        assert server.told("SELECT * FROM mine", session_id="holding", session_check="1") == "5"
        assert server.ask("SELECT * FROM mine").status_code == 404
        assert server.ask("SELECT * FROM mine", session_id="another").status_code == 404

    def test_that_are_not_there_can_be_asked_for(self, server: ClickHouseProcess) -> None:
        response = server.ask("SELECT 1", session_id="never-begun", session_check="1")
        assert response.headers["X-ClickHouse-Exception-Code"] == "372"
        assert server.ask("SELECT 1", session_id="x", session_timeout="soon").status_code == 400

    def test_expire(self, server: ClickHouseProcess) -> None:
        server.told("SELECT 1", session_id="short", session_timeout="1")
        time.sleep(2.5)
        assert server.ask("SELECT 1", session_id="short", session_check="1").status_code >= 400

    def test_are_locked_while_a_query_runs(self, server: ClickHouseProcess) -> None:
        slow = threading.Thread(target=lambda: server.ask("SELECT sleep(2)", session_id="busy"))
        slow.start()
        time.sleep(0.7)
        assert server.ask("SELECT 1", session_id="busy").headers["X-ClickHouse-Exception-Code"] == "373"
        slow.join()
        assert server.told("SELECT 1", session_id="busy") == "1"


class TestInserts:
    def test_in_whatever_the_engine_reads(self, server: ClickHouseProcess, table: str) -> None:
        arrow = io.BytesIO()
        rows = pa.table({"k": pa.array([7], pa.uint64()), "v": ["arrow"]})
        with pa.ipc.new_stream(arrow, rows.schema) as writer:
            writer.write_table(rows)
        said = {
            "FORMAT CSV": b"1,csv\n",
            "FORMAT TabSeparated": b"2\ttsv\n",
            "FORMAT JSONEachRow": b'{"k": 3, "v": "json"}\n',
            "VALUES": b"(4, 'values'), (5, 'it''s')",
            "FORMAT RowBinary": b"\x0a\0\0\0\0\0\0\0\x06binary",
            "FORMAT ArrowStream": arrow.getvalue(),
        }
        for form, content in said.items():
            query = f"INSERT INTO {table} (k, v) {form}"
            for response in (server.ask(query, content), server.ask(query.encode() + b"\n" + content)):
                assert response.status_code == 200, (form, response.text)
                assert int(json.loads(response.headers["X-ClickHouse-Summary"])["written_rows"]) >= 1
        told = server.told(f"SELECT k, v, count() FROM {table} GROUP BY k, v ORDER BY k")
        assert told.splitlines() == [
            "1\tcsv\t2",
            "2\ttsv\t2",
            "3\tjson\t2",
            "4\tvalues\t2",
            "5\tit\\'s\t2",
            "7\tarrow\t2",
            "10\tbinary\t2",
        ]

    def test_through_input_and_from_a_select(self, server: ClickHouseProcess, table: str) -> None:
        query = f"INSERT INTO {table} (k, v) SELECT a * 2, b FROM input('a UInt64, b String') FORMAT CSV"
        assert server.ask(query, b"1,x\n2,y\n").status_code == 200
        server.told(f"INSERT INTO {table} (k, v) SELECT number + 10, 'z' FROM numbers(2)")
        assert server.told(f"SELECT groupArray(k) FROM (SELECT k FROM {table} ORDER BY k)") == "[2,4,10,11]"

    def test_of_bad_data_insert_nothing(self, server: ClickHouseProcess, table: str) -> None:
        response = server.ask(f"INSERT INTO {table} (k, v) FORMAT CSV\n1,x\nnonsense,y\n")
        assert response.status_code == 400, response.text
        assert server.told(f"SELECT count() FROM {table}") == "0"
        truncated = gzip.compress(b"1,x\n" * 1000)[:-20]
        with server.http(headers={"Content-Encoding": "gzip"}) as client:
            told = {"query": f"INSERT INTO {table} (k, v) FORMAT CSV", "database": DATABASE}
            assert client.post("/", params=told, content=truncated).status_code >= 400
            assert client.post("/", params=told, content=b"not gzip at all").status_code >= 400
            assert client.post("/", params=told, content=gzip.compress(b"1,x\n" * 10)).status_code == 200
        assert server.told(f"SELECT count() FROM {table}") == "10"

    @pytest.mark.parametrize("chunked", [True, False])
    def test_of_a_client_that_dies_insert_nothing(
        self, server: ClickHouseProcess, table: str, *, chunked: bool
    ) -> None:
        query = f"INSERT%20INTO%20{table}%20(k,v)%20FORMAT%20CSV"
        head = f"POST /?database={DATABASE}&query={query} HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: {USER}\r\nX-ClickHouse-Key: {PASSWORD}\r\n"
        body = b"1,x\n" * 100_000
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            if chunked:
                client.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
                client.sendall(b"%x\r\n%b\r\n" % (len(body), body))
            else:
                client.sendall(f"{head}Content-Length: {len(body) * 2}\r\n\r\n".encode() + body)
        time.sleep(1)
        assert server.told(f"SELECT count() FROM {table}") == "0"


class TestClient:
    """clickhouse-connect, as pipelines and dashboards use it."""

    @pytest.mark.parametrize("compress", [True, False, "gzip", "zstd", "lz4", "br"])
    def test_rows_arrow_and_csv(self, server: ClickHouseProcess, table: str, *, compress: bool | str) -> None:
        with server.client(compress=compress) as client:
            day = dt.date(2026, 2, 3)
            client.insert(table, [[n, f"row {n}", day] for n in range(20_000)], column_names=["k", "v", "d"])
            rows = pa.table({"k": pa.array(range(20_000, 90_000), pa.uint64()), "v": ["arrow"] * 70_000})
            assert client.insert_arrow(table, rows).written_rows == 70_000
            client.raw_insert(table, ["k", "v"], b"90000,csv\n", fmt="CSV")
            assert client.query(f"SELECT count(), sum(k) FROM {table}").result_rows == [(90_001, sum(range(90_001)))]
            assert client.query(f"SELECT * FROM {table} ORDER BY k LIMIT 2").result_rows == [
                (0, "row 0", day),
                (1, "row 1", day),
            ]
            assert client.query_arrow(f"SELECT k FROM {table}").num_rows == 90_001
            with client.query_row_block_stream(f"SELECT * FROM {table}") as stream:
                assert sum(len(block) for block in stream) == 90_001
            assert client.query_df(f"SELECT max(k) AS m FROM {table}")["m"][0] == 90_000

    def test_parameters_settings_and_errors(self, server: ClickHouseProcess) -> None:
        with server.client() as client:
            told = {"n": 5, "s": "it's\ta\\b", "l": ["a", "b'"], "d": dt.date(2026, 1, 2)}
            query = "SELECT {n:Int32} + 1, {s:String}, {l:Array(String)}, {d:Date}"
            assert client.query(query, parameters=told).result_rows == [
                (6, "it's\ta\\b", ["a", "b'"], dt.date(2026, 1, 2))
            ]
            settings = {"max_block_size": 99}
            assert client.command("SELECT getSetting('max_block_size')", settings=settings) == 99
            assert client.command("SELECT getSetting('max_block_size')") != 99
            with pytest.raises(DatabaseError, match="UNKNOWN_TABLE") as told_error:
                client.query("SELECT * FROM nowhere")
            assert told_error.value.code == 60
        with pytest.raises(DatabaseError, match="516"):
            server.client(password="wrong")

    def test_one_that_only_reads(self, server: ClickHouseProcess, table: str) -> None:
        with server.client(settings={"readonly": 1}) as client:
            for number in range(2):
                assert client.query("SELECT {n:Int32}", parameters={"n": number}).result_rows == [(number,)]
                with pytest.raises(DatabaseError, match="READONLY"):
                    client.insert(table, [[1]], column_names=["k"])
                with pytest.raises(DatabaseError, match="READONLY"):
                    client.command(f"DROP TABLE {table}")
            assert client.query_arrow(f"SELECT k FROM {table}").num_rows == 0

    def test_what_is_too_long_for_an_address_comes_as_a_form(self, server: ClickHouseProcess) -> None:
        with server.client() as client:
            long = "x" * 300_000
            assert client.query("SELECT length({s:String})", parameters={"s": long}).result_rows == [(300_000,)]
        with server.client(form_encode_query_params=True) as client:
            assert client.query("SELECT {n:Int32}", parameters={"n": 3}).result_rows == [(3,)]

    def test_a_table_is_brought_along(self, server: ClickHouseProcess) -> None:
        brought = ExternalData(
            file_name="brought", data=b"1,one\n2,two\n", structure=["k UInt64", "v LowCardinality(String)"], fmt="CSV"
        )
        query = "SELECT v FROM numbers(5) AS n JOIN brought ON n.number = brought.k ORDER BY v"
        with server.client() as client:
            assert client.query(query, external_data=brought).result_rows == [("one",), ("two",)]
            with pytest.raises(DatabaseError, match="UNKNOWN_TABLE"):
                client.query("SELECT * FROM brought")

    @pytest.mark.filterwarnings("ignore")
    def test_an_error_in_the_middle_of_an_answer_is_noticed(self, server: ClickHouseProcess) -> None:
        query = "SELECT throwIf(number = 3000000, 'in the middle'), number FROM numbers(10000000)"
        with server.client() as client:
            with (
                pytest.raises(StreamFailureError, match="in the middle"),
                client.query_row_block_stream(query) as stream,
            ):
                for _ in stream:
                    pass
            with pytest.raises(DatabaseError, match="in the middle"):
                client.query(query)
        with server.http() as plain, pytest.raises(httpx.RemoteProtocolError):
            plain.post("/", content=f"{query} SETTINGS max_threads = 1 FORMAT CSV")


class TestCancelling:
    LONG = "SELECT count() FROM numbers(1e12) WHERE sipHash64(number) = 1"

    def test_by_query_id(self, server: ClickHouseProcess) -> None:
        answers: list[httpx.Response] = []
        asking = threading.Thread(target=lambda: answers.append(server.ask(self.LONG, query_id="to be killed")))
        asking.start()
        eventually(lambda: "sipHash64" in server.told("SELECT query FROM system.processes"))
        assert server.ask("SELECT 1", query_id="to be killed").headers["X-ClickHouse-Exception-Code"] == "216"
        assert server.told("KILL QUERY WHERE query_id = 'another' SYNC") == ""
        assert "finished" in server.told("KILL QUERY WHERE query_id = 'to be killed' SYNC")
        asking.join(20)
        assert answers[0].headers["X-ClickHouse-Exception-Code"] == "394"

    def test_of_a_mutation(self, server: ClickHouseProcess, table: str) -> None:
        server.told(f"INSERT INTO {table} (k) VALUES (1)")
        server.told(f"ALTER TABLE {table} DELETE WHERE throwIf(k = 1)", mutations_sync="0")
        going_on = f"SELECT count() FROM system.mutations WHERE table = '{table}' AND NOT is_done AND NOT is_killed"
        assert server.told(going_on) == "1"
        server.told(f"KILL MUTATION WHERE database = '{DATABASE}' AND table = '{table}'")
        eventually(lambda: server.told(going_on) == "0")

    def test_with_its_client(self, server: ClickHouseProcess) -> None:
        told = {"query": self.LONG, "cancel_http_readonly_queries_on_client_close": "1"}
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(server.uri, params=told, auth=(USER, PASSWORD), timeout=1, trust_env=False)
        eventually(lambda: "sipHash64" not in server.told("SELECT query FROM system.processes WHERE elapsed > 0.5"))

    def test_of_a_result_that_nobody_reads_any_more(self, server: ClickHouseProcess) -> None:
        with server.http() as client, client.stream("POST", "/", content="SELECT * FROM numbers(1e11)") as response:
            next(response.iter_raw())
        eventually(lambda: "1e11" not in server.told("SELECT query FROM system.processes WHERE elapsed > 0.5"))

    def test_of_a_result_whose_reader_has_fallen_asleep(self, server: ClickHouseProcess) -> None:
        query = "SELECT * FROM numbers(1e11) FORMAT CSV"
        with (
            server.http() as client,
            client.stream("POST", "/", params={"query_id": "asleep"}, content=query) as response,
        ):
            pieces = response.iter_raw()
            next(pieces)
            server.told("KILL QUERY WHERE query_id = 'asleep' SYNC")
            with pytest.raises(httpx.RemoteProtocolError):
                for _ in pieces:
                    pass


def test_a_large_result_takes_little_memory(server: ClickHouseProcess) -> None:
    server.told("SELECT 1")
    before, peak, size = server.memory(), 0, 0
    query = "SELECT number, randomPrintableASCII(200) FROM numbers(5000000)"
    with server.http() as client, client.stream("POST", "/", content=query) as response:
        for number, piece in enumerate(response.iter_raw(1 << 20)):
            size += len(piece)
            peak = max(peak, server.memory()) if number % 20 == 0 else peak
    assert size > 1_000_000_000
    assert peak - before < 400_000_000


def test_a_large_insert_takes_little_memory(server: ClickHouseProcess, table: str) -> None:
    lines = b"1," + b"x" * 1000 + b"\n"
    told = {
        "query": f"INSERT INTO {table} (k, v) FORMAT CSV",
        "database": DATABASE,
        # The engine gathers blocks of its own before it writes a part: several at once, of a quarter of a gigabyte each.
        "max_insert_block_size": "10000",
        "min_insert_block_size_bytes": "10000000",
        "input_format_parallel_parsing": "0",
    }

    def insert(megabytes: int) -> None:
        with server.http() as client:
            response = client.post("/", params=told, content=(lines * 1000 for _ in range(megabytes)), timeout=300)
        assert response.status_code == 200, response.text

    # What it loads to do so at all is not what an insert takes.
    insert(20)
    before, peaks = server.memory(), [0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            peaks.append(server.memory())

    watching = threading.Thread(target=watch)
    watching.start()
    insert(1500)
    done.set()
    watching.join()
    assert server.told(f"SELECT count() FROM {table}") == "1520000"
    # Of 1.5 GB. What it has written it merges meanwhile, which takes some too.
    assert max(peaks) - before < 900_000_000


def test_it_answers_while_it_is_written_to(server: ClickHouseProcess, table: str) -> None:
    server.told(f"INSERT INTO {table} (k, v) SELECT number, 'x' FROM numbers(3000000)")
    stop, failures = threading.Event(), list[str]()

    def write() -> None:
        content = b"1,y\n" * 2000
        while not stop.is_set():
            response = server.ask(f"INSERT INTO {table} (k, v) FORMAT CSV", content)
            if response.status_code != 200:
                failures.append(response.text)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    seconds: list[float] = []
    for _ in range(20):
        began = time.monotonic()
        assert int(server.told(f"SELECT count() FROM {table} WHERE v = 'x'")) == 3_000_000
        seconds.append(time.monotonic() - began)
    stop.set()
    for writer in writers:
        writer.join()
    assert not failures
    assert sorted(seconds)[10] < 2
