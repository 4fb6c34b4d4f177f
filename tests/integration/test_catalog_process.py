"""The catalog as a process: how it starts, what it says when it cannot, how it stops and comes back."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from boathouse.kit.ids import new_uuid
from tests.integration.catalog_process import TOKEN, CatalogProcess, free_port

SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def call(server: CatalogProcess, method: str, path: str, body: object = None) -> httpx.Response:
    return httpx.request(method, f"{server.uri}/v1/lake{path}", json=body, headers=HEADERS, trust_env=False, timeout=30)


def run(*arguments: str, token: str | None = TOKEN) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "BOATHOUSE_CATALOG_TOKEN"}
    if token is not None:
        environment["BOATHOUSE_CATALOG_TOKEN"] = token
    command = [sys.executable, "-m", "boathouse.catalog", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)


def good(directory: Path) -> list[str]:
    return [
        "--port",
        str(free_port()),
        "--store",
        f"sqlite:///{directory}/s.db",
        "--warehouse",
        f"lake=file://{directory}/l",
    ]


def test_it_stops_when_told(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path) as server:
        assert server.stop() == 0


def test_it_listens_on_loopback_unless_told_otherwise(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path) as server:
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        assert next(line for line in lines if line["event"] == "serving")["host"] == "127.0.0.1"


def test_it_tells_which_file_its_store_is(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path) as server:
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        opened = next(line for line in lines if line["event"] == "store opened")
        assert opened["file"] == str(Path(server.store.removeprefix("sqlite:///")).absolute())


def test_every_request_is_a_line_of_json_in_the_log(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path) as server:
        call(server, "POST", "/namespaces", {"namespace": ["ns"]})
        call(server, "POST", "/namespaces/ns/tables", {"name": "t", "schema": SCHEMA})
        call(server, "POST", "/namespaces/ns/tables", {"name": "t", "schema": SCHEMA})
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    created, refused = [line for line in lines if line.get("table") == "ns.t"]
    assert (created["status"], created["outcome"]) == (200, "applied")
    assert (refused["status"], refused["outcome"], refused["error"]) == (409, "rejected", "Table already exists: ns.t")
    assert created["request"] != refused["request"]
    assert TOKEN not in server.log.read_text()


def test_what_was_acknowledged_is_there_after_kill_9(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path) as server:
        call(server, "POST", "/namespaces", {"namespace": ["ns"]})
        call(server, "POST", "/namespaces/ns/tables", {"name": "t", "schema": SCHEMA})
        acknowledged: list[str] = []
        writer = threading.Thread(target=keep_committing, args=(server, acknowledged))
        writer.start()
        while len(acknowledged) < 20:
            time.sleep(0.01)
        server.kill()
        writer.join()
        server.start()
        properties = call(server, "GET", "/namespaces/ns/tables/t").json()["metadata"]["properties"]
        assert set(acknowledged) <= properties.keys()


def test_a_request_that_was_accepted_is_answered_before_it_stops(tmp_path: Path) -> None:
    server = CatalogProcess(tmp_path)
    server.start()
    call(server, "POST", "/namespaces", {"namespace": ["ns"]})
    call(server, "POST", "/namespaces/ns/tables", {"name": "t", "schema": SCHEMA})
    acknowledged: list[str] = []
    writer = threading.Thread(target=keep_committing, args=(server, acknowledged))
    writer.start()
    while len(acknowledged) < 5:
        time.sleep(0.01)
    assert server.stop() == 0
    writer.join()
    server.start()
    properties = call(server, "GET", "/namespaces/ns/tables/t").json()["metadata"]["properties"]
    own = {name for name in properties if name.startswith("p-")}
    assert own == set(acknowledged), "whatever was done was also acknowledged"
    server.stop()


def keep_committing(server: CatalogProcess, acknowledged: list[str]) -> None:
    """Commit until the server is gone, noting what it acknowledged."""
    while True:
        name = f"p-{new_uuid()}"
        update = {"action": "set-properties", "updates": {name: "x"}}
        try:
            response = call(server, "POST", "/namespaces/ns/tables/t", {"requirements": [], "updates": [update]})
        except httpx.TransportError:
            return
        if response.is_success:
            acknowledged.append(name)


def test_interrupting_it_is_stopping_it(tmp_path: Path) -> None:
    server = CatalogProcess(tmp_path)
    server.start()
    assert server.process is not None
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(timeout=30) == 0


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = run("--port", str(taken.getsockname()[1]), *good(tmp_path)[2:])
    assert ended.returncode == 1
    assert ended.stderr.startswith("catalog: Cannot listen on 127.0.0.1:")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--store", "sqlite:////proc/no/s.db"], "The store /proc/no/s.db cannot be opened"),
        (["--store", "mysql://x"], "'mysql://x' is not the address of a store"),
        (["--warehouse", "lake"], "'lake' is not a warehouse"),
        (["--warehouse", "lake=gopher://x"], "Not a storage location"),
        (["--warehouse", "lake=file:///proc/no"], "The directory /proc/no cannot be used"),
    ],
)
def test_what_it_cannot_use_is_said_in_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    ended = run(*good(tmp_path), *arguments)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"catalog: {message}")
    assert ended.stderr.count("\n") == 1


def test_it_does_not_start_without_a_token_unless_none_is_wanted(tmp_path: Path) -> None:
    ended = run(*good(tmp_path), token=None)
    assert ended.returncode == 1
    assert "BOATHOUSE_CATALOG_TOKEN is not set" in ended.stderr
    with CatalogProcess(tmp_path, "--auth", "none") as server:
        assert httpx.get(f"{server.uri}/v1/lake/namespaces", trust_env=False).json()["namespaces"] == []


def test_several_warehouses_are_kept_apart(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path, "--warehouse", f"pond=file://{tmp_path}/pond") as server:
        call(server, "POST", "/namespaces", {"namespace": ["ns"]})
        pond = httpx.get(f"{server.uri}/v1/pond/namespaces", headers=HEADERS, trust_env=False)
        assert pond.json()["namespaces"] == []
        config = httpx.get(f"{server.uri}/v1/config?warehouse=pond", headers=HEADERS, trust_env=False)
        assert config.json()["overrides"] == {"prefix": "pond"}
        unnamed = httpx.get(f"{server.uri}/v1/config", headers=HEADERS, trust_env=False)
        assert unnamed.status_code == 400
