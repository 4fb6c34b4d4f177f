"""Several warehouses in one server, each with a storage of its own, as a command line starts them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from boathouse.kit.access import ObjectStoreAccess
from tests.integration.catalog_process import free_port
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack
SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}
SIGNING = {"X-Iceberg-Access-Delegation": "remote-signing"}


def configuration(store: ObjectStoreAccess) -> str:
    return f"""
[warehouses.lake]
url = "s3://{store.bucket}/two-warehouses/lake"
endpoint = "{store.endpoint}"
access_key = "{store.access_key.get_secret_value()}"
secret_key = "{store.secret_key.get_secret_value()}"
"""


@pytest.fixture
def server(stack: LakehouseUnderTest, tmp_path: Path) -> Iterator[httpx.Client]:
    """`lake` on S3 by a file, `pond` in a directory by an argument."""
    file = tmp_path / "catalog.toml"
    file.touch(mode=0o600)
    file.write_text(configuration(stack.access.object_store))
    port = free_port()
    command = [sys.executable, "-m", "boathouse.cli.main", "catalog", "serve", "--host", "127.0.0.1"]
    options = ["--port", str(port), "--store", f"sqlite:///{tmp_path}/state.db", "--auth", "none"]
    warehouses = ["--warehouse", f"pond=file://{tmp_path}/pond", "--config", str(file)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "BOATHOUSE_"))}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([*command, *options, *warehouses], env=environment, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
            wait_for(http, process)
            yield http
        text = (tmp_path / "log").read_text()
        assert stack.access.object_store.secret_key.get_secret_value() not in text
        assert "Signature=" not in text
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(http: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            if http.get("/readyz").is_success:
                return
        except httpx.TransportError:
            pass
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)


def create(http: httpx.Client, warehouse: str, **request: str) -> httpx.Response:
    http.post(f"/v1/{warehouse}/namespaces", json={"namespace": ["ns"]})
    body = {"name": "t", "schema": SCHEMA, **request}
    return http.post(f"/v1/{warehouse}/namespaces/ns/tables", json=body, headers=SIGNING)


def test_each_has_its_own_tables_and_its_own_storage(server: httpx.Client, stack: LakehouseUnderTest) -> None:
    store = stack.access.object_store
    lake, pond = (create(server, name).json() for name in ("lake", "pond"))
    assert lake["metadata"]["location"] == f"s3://{store.bucket}/two-warehouses/lake/ns/t"
    assert pond["metadata"]["location"].startswith("file:///")
    assert lake["config"]["s3.endpoint"] == store.endpoint
    assert pond["config"] == {}
    defaults = {
        name: server.get("/v1/config", params={"warehouse": name}).json()["defaults"] for name in ("lake", "pond")
    }
    assert defaults["lake"]["s3.endpoint"] == store.endpoint
    assert defaults["pond"] == {}


def test_a_table_of_one_cannot_touch_the_other(server: httpx.Client, stack: LakehouseUnderTest) -> None:
    store = stack.access.object_store
    lake = create(server, "lake").json()["metadata"]["location"]
    assert create(server, "pond", location=lake).status_code == 400
    create(server, "pond")
    uri = f"{store.endpoint}/{lake.removeprefix('s3://')}/data/a"
    asked = {"region": "us-east-1", "method": "GET", "uri": uri, "headers": {}}
    assert server.post("/v1/lake/namespaces/ns/tables/t/sign", json=asked).is_success
    assert server.post("/v1/pond/namespaces/ns/tables/t/sign", json=asked).status_code == 400


def test_a_signed_request_does_what_it_says(server: httpx.Client, stack: LakehouseUnderTest) -> None:
    location = create(server, "lake").json()["metadata"]["location"].removeprefix("s3://")
    for method, status in (("PUT", 200), ("GET", 200), ("DELETE", 204), ("GET", 404)):
        uri = f"{stack.access.object_store.endpoint}/{location}/data/p%3D1/a%20b"
        asked = {"region": "us-east-1", "method": method, "uri": uri, "headers": {"x-amz-meta-a": ["b"]}}
        signed = server.post("/v1/lake/namespaces/ns/tables/t/sign", json=asked).json()
        headers = {name: values[0] for name, values in signed["headers"].items()} | {"x-amz-meta-a": "b"}
        content = b"rows" if method == "PUT" else None
        answer = httpx.request(method, signed["uri"], headers=headers, content=content, trust_env=False)
        assert answer.status_code == status, answer.text
