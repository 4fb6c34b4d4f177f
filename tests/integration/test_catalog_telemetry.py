"""The catalog as those who run it meet it: stopped under load, watched while etcd loses its leader."""

import gzip
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from boathouse.catalog.server import ServerOptions, open_app
from boathouse.kit.ids import new_uuid
from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import TOKEN, CatalogProcess

SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}
WRITERS = 8


def client(server: CatalogProcess) -> httpx.Client:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.Client(base_url=f"{server.uri}/v1/lake/namespaces", headers=headers, trust_env=False, timeout=30)


def metrics(server: CatalogProcess) -> dict[str, float]:
    text = httpx.get(f"{server.uri}/metrics", trust_env=False, timeout=30).text
    return {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples}


class Writer(threading.Thread):
    """Commits to its own table over a kept connection until the server is gone."""

    def __init__(self, server: CatalogProcess, table: str) -> None:
        super().__init__()
        self._server = server
        self.table = table
        self.acknowledged: set[str] = set()

    def run(self) -> None:
        with client(self._server) as http:
            while True:
                name = f"p-{new_uuid()}"
                update = {"action": "set-properties", "updates": {name: "x"}}
                try:
                    answer = http.post(f"/ns/tables/{self.table}", json={"requirements": [], "updates": [update]})
                except httpx.TransportError:
                    return
                if answer.is_success:
                    self.acknowledged.add(name)


@pytest.fixture(params=["sqlite", "etcd"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CatalogProcess]:
    store = request.getfixturevalue("etcd").address(new_uuid()) if request.param == "etcd" else None
    with CatalogProcess(tmp_path, store=store) as server:
        yield server


def test_told_to_stop_under_load_it_finishes_what_it_accepted(server: CatalogProcess) -> None:
    writers = [Writer(server, f"t{number}") for number in range(WRITERS)]
    with client(server) as http:
        http.post(f"{server.uri}/v1/lake/namespaces", json={"namespace": ["ns"]}).raise_for_status()
        for writer in writers:
            http.post("/ns/tables", json={"name": writer.table, "schema": SCHEMA}).raise_for_status()
    for writer in writers:
        writer.start()
    while not all(len(writer.acknowledged) > 3 for writer in writers):
        time.sleep(0.01)
    assert server.process is not None
    server.process.terminate()
    assert not_ready_before_it_is_gone(server), "/readyz did not turn to 503 first"
    assert server.process.wait(timeout=30) == 0
    for writer in writers:
        writer.join()
    server.start()
    with client(server) as http:
        for writer in writers:
            properties = http.get(f"/ns/tables/{writer.table}").json()["metadata"]["properties"]
            applied = {name for name in properties if name.startswith("p-")}
            assert applied == writer.acknowledged, "whatever was done was also acknowledged, and the other way round"


def not_ready_before_it_is_gone(server: CatalogProcess) -> bool:
    while True:
        try:
            answer = httpx.get(f"{server.uri}/readyz", trust_env=False)
        except httpx.TransportError:
            return False
        if answer.status_code == 503:
            return answer.json()["parts"] == {"server": "It is stopping."}


def test_a_second_signal_skips_the_wait(tmp_path: Path) -> None:
    server = CatalogProcess(tmp_path, "--drain-seconds", "60")
    server.start()
    assert server.process is not None
    server.process.terminate()
    while httpx.get(f"{server.uri}/readyz", trust_env=False).status_code != 503:
        time.sleep(0.01)
    server.process.terminate()
    assert server.process.wait(timeout=20) == 0


class Collector(BaseHTTPRequestHandler):
    """Takes spans as an OpenTelemetry collector does."""

    received: ClassVar[list[tuple[str, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.received.append((self.path, gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        pass


def test_spans_are_sent_to_a_collector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with CatalogProcess(tmp_path) as server, client(server) as http:
            http.post(f"{server.uri}/v1/lake/namespaces", json={"namespace": ["ns"]}).raise_for_status()
        collector.shutdown()
    assert {path for path, _ in Collector.received} == {"/v1/traces"}
    sent = b"".join(body for _, body in Collector.received)
    assert b"store.commit" in sent
    assert b"boathouse-catalog" in sent
    assert TOKEN.encode() not in sent


async def test_it_is_not_ready_while_object_storage_gives_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "nobody")
    options = ServerOptions("", 0, f"sqlite:///{tmp_path}/s.db", ["lake=s3://bucket/x"], "none")
    app = open_app(options, os.environ)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://catalog") as http:
        answer = await http.get("/readyz")
        assert (answer.status_code, list(answer.json()["parts"])) == (503, ["warehouse lake"])
        assert (await http.get("/healthz")).status_code == 200
    await app.state.store.close()


def test_a_new_leader_is_seen(tmp_path: Path) -> None:
    with (
        EtcdCluster(tmp_path / "etcd", members=3) as cluster,
        CatalogProcess(tmp_path, store=cluster.address("watched")) as server,
    ):
        before = metrics(server)
        assert (before["boathouse_catalog_store_has_leader"], before["boathouse_catalog_store_endpoints"]) == (1, 3)
        assert before["boathouse_catalog_store_endpoints_reachable"] == 3
        cluster.leader().kill()
        deadline = time.monotonic() + 30
        while (now := metrics(server))["boathouse_catalog_store_term"] == before["boathouse_catalog_store_term"]:
            assert time.monotonic() < deadline, "no new term was seen"
            time.sleep(0.1)
        assert now["boathouse_catalog_store_endpoints_reachable"] == 2
        assert now["boathouse_catalog_store_leader_changes"] >= 1
        assert now["process_resident_memory_bytes"] < 200_000_000
