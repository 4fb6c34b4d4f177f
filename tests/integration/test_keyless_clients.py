"""Clients without keys of their own, on the real store: what the catalog gives them is enough, and no more than enough."""

import json
import os
import time
from collections.abc import Generator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import httpx
import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.utils.concurrent import ExecutorFactory

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.storage.s3_storage import Vend
from boathouse.catalog.storage.sigv4 import UNSIGNED, Keys, Unsigned, signed_headers
from boathouse.kit.access import CatalogAccess
from tests.behaviour.catalog.guarded_catalog import LAKE, TABLE
from tests.behaviour.catalog.http_catalog import table_path
from tests.behaviour.catalog.s3_catalog import VENDED, S3Catalog
from tests.integration.keyless_spark import MECHANISMS
from tests.integration.test_catalog_clients import extension
from tests.lakehouse_under_test import LakehouseUnderTest
from tests.spark_alone import run_with_spark, spark_jars

pytestmark = pytest.mark.stack
ROWS = pa.table({"id": pa.array([1, 2, 3], pa.int64())})
PROGRAM = Path(__file__).with_name("keyless_spark.py")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a client could find keys in."""
    for name in os.environ:
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, os.devnull)


@pytest.fixture(autouse=True)
def one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyiceberg 0.12 forgets to sign some requests that it sends from several threads (apache/iceberg-python#3896)."""
    monkeypatch.setenv("PYICEBERG_MAX_WORKERS", "1")
    monkeypatch.setattr(ExecutorFactory, "_instance", None)


@pytest.fixture(scope="module")
def access(stack: LakehouseUnderTest) -> CatalogAccess:
    return stack.access.catalog


@pytest.fixture(params=MECHANISMS)
def iceberg(access: CatalogAccess, request: pytest.FixtureRequest) -> Catalog:
    return pyiceberg_catalog(access, request.param)


def pyiceberg_catalog(access: CatalogAccess, mechanism: str) -> Catalog:
    return load_catalog(
        "lake",
        type="rest",
        uri=access.uri,
        warehouse=access.warehouse,
        token=access.token.get_secret_value(),
        **{"header.X-Iceberg-Access-Delegation": mechanism},
    )


class TestPyiceberg:
    def test_it_writes_and_reads(self, iceberg: Catalog, request: pytest.FixtureRequest) -> None:
        iceberg.create_namespace_if_not_exists("keyless")
        table = iceberg.create_table(("keyless", request.node.name), schema=ROWS.schema)
        table.append(ROWS)
        table.append(ROWS)
        table.delete("id = 2")
        assert iceberg.load_table(("keyless", request.node.name)).scan().to_arrow().num_rows == 4

    def test_it_fills_a_table_before_it_is_there(self, iceberg: Catalog, request: pytest.FixtureRequest) -> None:
        iceberg.create_namespace_if_not_exists("keyless")
        with iceberg.create_table_transaction(("keyless", request.node.name), schema=ROWS.schema) as transaction:
            transaction.append(ROWS)
        assert iceberg.load_table(("keyless", request.node.name)).scan().to_arrow().num_rows == 3


class TestDuckDB:
    @pytest.fixture
    def duck(self, access: CatalogAccess) -> Iterator[duckdb.DuckDBPyConnection]:
        connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        for name in ("avro", "httpfs", "iceberg"):
            connection.execute(f"LOAD '{extension(name)}'")
        connection.execute(f"CREATE SECRET lake (TYPE iceberg, TOKEN '{access.token.get_secret_value()}')")
        connection.execute(f"ATTACH '{access.warehouse}' AS lake (TYPE iceberg, ENDPOINT '{access.uri}', SECRET lake)")
        yield connection
        connection.close()

    def test_it_writes_and_reads_with_vended_credentials(
        self, duck: duckdb.DuckDBPyConnection, access: CatalogAccess
    ) -> None:
        duck.execute("CREATE SCHEMA IF NOT EXISTS lake.keyless_ducks")
        duck.execute("CREATE TABLE lake.keyless_ducks.t (id BIGINT)")
        duck.execute("INSERT INTO lake.keyless_ducks.t VALUES (1), (2)")
        assert duck.execute("SELECT count(*) FROM lake.keyless_ducks.t").fetchall() == [(2,)]
        other = pyiceberg_catalog(access, "remote-signing").load_table("keyless_ducks.t")
        assert other.scan().to_arrow().num_rows == 2


class TestSpark:
    def test_it_creates_fills_changes_and_expires_in_both_ways(self, access: CatalogAccess) -> None:
        given = {
            "jars": [str(jar) for jar in spark_jars()],
            "uri": access.uri,
            "warehouse": access.warehouse,
            "token": access.token.get_secret_value(),
            "namespace": "keyless_spark",
        }
        done = run_with_spark([str(PROGRAM)], json.dumps(given))
        assert done.returncode == 0, done.stderr[-3000:]
        assert json.loads(done.stdout) == {mechanism: [0, 2, 3, 10] for mechanism in MECHANISMS}


class TestVendedKeys:
    """What they reach, asked of the store itself."""

    @pytest.fixture
    def catalog(self, access: CatalogAccess) -> Generator[httpx.Client]:
        headers = {"Authorization": f"Bearer {access.token.get_secret_value()}"}
        url = f"{access.uri}/v1/{access.warehouse}"
        with httpx.Client(base_url=url, headers=headers, trust_env=False) as http:
            yield http

    @pytest.fixture
    def tables(self, access: CatalogAccess) -> tuple[str, str]:
        """Two tables with rows; where they lie."""
        iceberg = pyiceberg_catalog(access, "vended-credentials")
        iceberg.create_namespace_if_not_exists("vended")
        found: list[str] = []
        for name in ("own", "own2"):
            table = iceberg.create_table_if_not_exists(("vended", name), schema=ROWS.schema)
            table.append(ROWS)
            found.append(table.metadata_location)
        return found[0], found[1]

    def test_they_reach_their_table_and_nothing_else(
        self, catalog: httpx.Client, stack: LakehouseUnderTest, tables: tuple[str, str]
    ) -> None:
        (credential,) = catalog.get("/namespaces/vended/tables/own/credentials").json()["storage-credentials"]
        config = credential["config"]
        store = Store(stack.access.object_store.endpoint, keys_in(config))
        own, other = (location.removeprefix("s3://") for location in tables)
        place, other_place = (path.rpartition("/metadata/")[0] for path in (own, other))
        bucket, _, prefix = place.partition("/")
        assert store.status("GET", own) == 200
        assert store.status("PUT", f"{place}/data/new") == 200
        assert store.status("DELETE", f"{place}/data/new") == 204
        assert store.status("GET", f"{bucket}?list-type=2&prefix={quote(prefix + '/', safe='')}") == 200
        for method in ("GET", "PUT", "DELETE"):
            assert store.status(method, other) == 403
        assert (
            store.status("GET", f"{bucket}?list-type=2&prefix={quote(other_place.partition('/')[2], safe='')}%2F")
            == 403
        )
        assert store.status("GET", f"{bucket}?list-type=2") == 403
        remaining = int(config["s3.session-token-expires-at-ms"]) / 1000 - time.time()
        assert 0 < remaining <= 3600

    def test_a_signed_deletion_of_many_cannot_be_given_another_body(
        self, catalog: httpx.Client, stack: LakehouseUnderTest, tables: tuple[str, str]
    ) -> None:
        """The store does not compare the body with its signature; that the keys behind it reach no further saves the other."""
        endpoint = stack.access.object_store.endpoint
        own, other = (location.removeprefix("s3://").partition("/") for location in tables)
        shown, sent = (deletion(key) for key in (f"{own[2]}.gone", other[2]))
        asked = {"region": "r", "method": "POST", "uri": f"{endpoint}/{own[0]}?delete", "headers": {}, "body": shown}
        signed = catalog.post("/namespaces/vended/tables/own/sign", json=asked).json()
        headers = {name: values[0] for name, values in signed["headers"].items()}
        answer = httpx.post(signed["uri"], content=sent, headers=headers, trust_env=False)
        assert answer.status_code >= 400 or "AccessDenied" in answer.text
        keys = stack.access.object_store
        master = Store(endpoint, Keys(keys.access_key.get_secret_value(), keys.secret_key.get_secret_value()))
        assert master.status("GET", "/".join((other[0], other[2]))) == 200

    async def test_a_reader_gets_keys_that_only_read(self, stack: LakehouseUnderTest, tmp_path: Path) -> None:
        store = stack.access.object_store
        keys = Keys(store.access_key.get_secret_value(), store.secret_key.get_secret_value())
        options = {"bucket": store.bucket, "endpoint": store.endpoint, "keys": keys, "vend": Vend.STS}
        lake = S3Catalog(tmp_path, **options)
        await lake.caller("admin", (Privilege.MANAGE, LAKE))
        await lake.namespace("ns")
        await lake.table()
        target = f"{store.bucket}/wh/ns/t/data/a"
        assert (await vended_to(lake, store.endpoint)).status("PUT", target) == 200
        await lake.caller("ann", (Privilege.READ, TABLE))
        reader = await vended_to(lake, store.endpoint)
        assert [reader.status(method, target) for method in ("GET", "PUT", "DELETE")] == [200, 403, 403]
        await lake.hold("ann", (Privilege.WRITE, TABLE))
        writer = await vended_to(lake, store.endpoint)
        assert [writer.status(method, target) for method in ("PUT", "DELETE")] == [200, 204]
        await lake.catalog.storage_access.close()
        await lake.close()


class Store:
    """The store as one who holds these keys finds it."""

    def __init__(self, endpoint: str, keys: Keys) -> None:
        self._endpoint = endpoint
        self._keys = keys

    def status(self, method: str, target: str) -> int:
        url = f"{self._endpoint}/{target}"
        payload = sha256(b"").hexdigest() if method == "PUT" else UNSIGNED
        headers = signed_headers(Unsigned(method, url, {}, payload), self._keys, "us-east-1", "s3", time.time())
        return httpx.request(method, url, headers=headers, trust_env=False).status_code


async def vended_to(lake: S3Catalog, endpoint: str) -> Store:
    """The store with the keys that the caller gets for the table, as it is loaded and when they are renewed."""
    loaded = await lake.ok("GET", table_path("t"), headers=VENDED)
    renewed = await lake.ok("GET", f"{table_path('t')}/credentials")
    (config,) = (credential["config"] for credential in renewed["storage-credentials"])
    assert config.items() <= loaded["config"].items()
    return Store(endpoint, keys_in(config))


def keys_in(config: dict[str, Any]) -> Keys:
    return Keys(config["s3.access-key-id"], config["s3.secret-access-key"], config["s3.session-token"])


def deletion(key: str) -> str:
    return f"<Delete><Object><Key>{key}</Key></Object></Delete>"
