"""The servers that are compared over S3, each on a SeaweedFS of its own that is empty at first, on loopback."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager

import httpx
import psutil

from benchmarks.catalog.client import Client
from benchmarks.catalog.servers import Server, fixture, folder_of_its_own, nessie_jar, ours, peer
from boathouse.kit.settings import load_settings
from boathouse.stack.java import bundled
from boathouse.stack.services.object_store import weed
from tests.etcd_cluster import free_ports
from tests.integration.catalog_process import CatalogProcess
from tests.seaweedfs import KEY, URL, SeaweedFs

BUCKET = "tables"


@contextmanager
def ours_on_s3() -> Generator[Server]:
    with (
        folder_of_its_own() as folder,
        SeaweedFs(folder / "weed") as s3,
        CatalogProcess(folder, warehouse=URL, environment=s3.environment) as catalog,
    ):
        yield ours(catalog, [s3.process])


@contextmanager
def fixture_on_s3() -> Generator[Server]:
    chosen = {"WAREHOUSE": URL, "IO__IMPL": "org.apache.iceberg.aws.s3.S3FileIO", "CLIENT_REGION": "x"}
    keys = {"S3_ACCESS__KEY__ID": KEY, "S3_SECRET__ACCESS__KEY": KEY, "S3_PATH__STYLE__ACCESS": "true"}
    with folder_of_its_own() as folder, SeaweedFs(folder / "weed") as s3:
        settings = {**chosen, **keys, "S3_ENDPOINT": s3.endpoint}
        with fixture(folder, settings, [_process(s3)]) as server:
            yield server


@contextmanager
def nessie() -> Generator[Server]:
    """On RocksDB, its store for one machine. Built for Java 21, which is the one that Boathouse brings."""
    with folder_of_its_own() as folder, SeaweedFs(folder / "weed") as s3:
        port, management = free_ports(2)
        catalog, storage = "nessie.catalog", "nessie.catalog.service.s3.default-options"
        chosen = {
            "quarkus.http.host": "127.0.0.1",
            "quarkus.http.port": port,
            "quarkus.http.access-log.enabled": "false",
            "quarkus.management.host": "127.0.0.1",
            "quarkus.management.port": management,
            "quarkus.otel.sdk.disabled": "true",
            "nessie.version.store.type": "ROCKSDB",
            "nessie.version.store.persist.rocks.database-path": folder / "rocks",
            f"{catalog}.default-warehouse": "lake",
            f"{catalog}.warehouses.lake.location": URL,
            f"{storage}.endpoint": s3.endpoint,
            f"{storage}.path-style-access": "true",
            f"{storage}.region": "x",
            f"{storage}.auth-type": "STATIC",
            f"{storage}.access-key": "urn:nessie-secret:quarkus:keys",
            "keys.name": KEY,
            "keys.secret": KEY,
        }
        java = bundled(load_settings().cache).home / "bin" / "java"
        options = [f"-D{name}={value}" for name, value in chosen.items()]
        command = [str(java), "-Xmx1g", *options, "-jar", str(nessie_jar())]
        with peer(command, folder, f"http://127.0.0.1:{port}/iceberg", {}) as (client, process):
            yield Server(client, [process, _process(s3)])


@contextmanager
def seaweedfs() -> Generator[Server]:
    """The catalog that is a part of SeaweedFS: its memory and CPU are those of the store as well."""
    with folder_of_its_own() as folder, SeaweedFs(folder / "weed", iceberg=True) as s3:
        made = f"s3tables.bucket -create -name {BUCKET} -account x\n"
        shell = [str(weed()), "shell", "-master", s3.master]
        subprocess.run(shell, input=made, text=True, check=True, capture_output=True, timeout=60)
        uri = f"http://127.0.0.1:{s3.iceberg_port}"
        asked = {"grant_type": "client_credentials", "client_id": KEY, "client_secret": KEY}
        token = httpx.post(f"{uri}/v1/oauth/tokens", data=asked, trust_env=False).raise_for_status().json()
        headers = {"Authorization": f"Bearer {token['access_token']}"}
        yield Server(Client(uri, BUCKET, headers), [_process(s3)])


def _process(s3: SeaweedFs) -> psutil.Process:
    assert s3.process is not None
    return psutil.Process(s3.process.pid)
