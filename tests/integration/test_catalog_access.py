"""Principals, tokens and grants with clients that others wrote, against a catalog served with --auth oauth."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator

import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.exceptions import ForbiddenError, OAuthError

from boathouse.kit.settings import load_settings
from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.java import JavaSearch
from boathouse.stack.plan import artifact_cache
from tests.integration.catalog_process import CatalogProcess

ROWS = pa.table({"id": pa.array([1, 2, 3], pa.int64())})
# Shorter than the program below takes, so that Iceberg's client has to renew its token while it works. It begins when a
# tenth of the time is left, which on a busy machine must be seconds.
LIFETIME = 30
SPARK = """
import os, sys, time
from pyspark.sql import SparkSession
uri, jar, credential = sys.argv[1], sys.argv[2], os.environ["CREDENTIAL"]
name = "spark.sql.catalog.lake"
settings = {
    "spark.jars": jar, "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "1",
    name: "org.apache.iceberg.spark.SparkCatalog", f"{name}.type": "rest", f"{name}.uri": uri,
    f"{name}.warehouse": "lake", f"{name}.rest.auth.type": "oauth2", f"{name}.credential": credential,
    f"{name}.oauth2-server-uri": f"{uri}/v1/oauth/tokens", f"{name}.cache-enabled": "false",
}
builder = SparkSession.builder.master("local[1]")
for key, value in settings.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
spark.sql("CREATE TABLE lake.shared.spark (id BIGINT)")
for number in range(4):
    spark.sql(f"INSERT INTO lake.shared.spark VALUES ({number})")
    time.sleep(9)
print("rows", spark.table("lake.shared.spark").count())
try:
    spark.table("lake.hidden.t").show()
except Exception as error:
    print("refused:", error)
"""


class GuardedProcess(CatalogProcess):
    """With the command line beside it, as an operator has it."""

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "BOATHOUSE_CATALOG_STORE": f"sqlite:///{self.directory}/state.db"}
        command = [sys.executable, "-m", "boathouse.cli.main", "catalog", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    def ok(self, *arguments: str) -> str:
        ended = self.run(*arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def credential(self, name: str) -> str:
        return json.loads(self.ok("principal", "create", name, "--json"))["credential"]

    def grant(self, name: str, privilege: str, *on: str) -> None:
        self.ok("grant", name, privilege, "--warehouse", "lake", *on)

    def iceberg(self, credential: str) -> Catalog:
        tokens = {"oauth2-server-uri": f"{self.uri}/v1/oauth/tokens", "credential": credential}
        return load_catalog("lake", type="rest", uri=self.uri, warehouse="lake", **tokens)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[GuardedProcess]:
    directory = tmp_path_factory.mktemp("catalog")
    with GuardedProcess(directory, "--auth", "oauth", "--token-lifetime", str(LIFETIME)) as server:
        yield server


@pytest.fixture(scope="module")
def admin(server: GuardedProcess) -> Catalog:
    credential = server.credential("admin")
    server.grant("admin", "manage")
    catalog = server.iceberg(credential)
    catalog.create_namespace("shared")
    catalog.create_table("shared.t", schema=ROWS.schema).append(ROWS)
    return catalog


@pytest.mark.usefixtures("admin")
def test_pyiceberg_does_what_was_granted_and_no_more(server: GuardedProcess) -> None:
    credential = server.credential("ann")
    server.grant("ann", "read", "--namespace", "shared", "--table", "t")
    ann = server.iceberg(credential)
    assert ann.list_tables("shared") == [("shared", "t")]
    table = ann.load_table("shared.t")
    assert table.scan().to_arrow().num_rows == 3
    with pytest.raises(ForbiddenError, match=r"lacks the grant 'write' on table shared\.t"):
        table.append(ROWS)
    server.grant("ann", "write", "--namespace", "shared", "--table", "t")
    time.sleep(1.1)
    table.append(ROWS)
    server.ok("revoke", "ann", "write", "--warehouse", "lake", "--namespace", "shared", "--table", "t")
    time.sleep(1.1)
    with pytest.raises(ForbiddenError):
        table.append(ROWS)


def test_a_wrong_secret_is_refused_as_pyiceberg_knows_it(server: GuardedProcess) -> None:
    with pytest.raises(OAuthError, match="invalid_client"):
        server.iceberg("nobody:wrong")


@pytest.mark.usefixtures("admin")
def test_spark_works_on_while_its_token_is_renewed(server: GuardedProcess) -> None:
    credential = server.credential("spark")
    for privilege in ("create", "write"):
        server.grant("spark", privilege, "--namespace", "shared")
    settings = load_settings()
    jars = Fetcher(artifact_cache(settings), settings.artifacts).fetch(read_lock()["spark"])
    jar = next(path for path in jars if path.name.startswith("iceberg-spark-runtime"))
    java = JavaSearch(os.environ).find(None, settings.cache)
    ended = subprocess.run(
        [sys.executable, "-c", SPARK, server.uri, str(jar)],
        env={**os.environ, "JAVA_HOME": str(java.home), "CREDENTIAL": credential},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert "rows 4" in ended.stdout
    assert "Principal 'spark' lacks the grant 'read' on table hidden.t" in ended.stdout
    log = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    renewals = [one for one in log if one.get("principal") == "spark" and one["path"] == "/v1/oauth/tokens"]
    assert len(renewals) > 1


def test_no_secret_is_in_the_log(server: GuardedProcess) -> None:
    credential = server.credential("quiet")
    server.grant("quiet", "list")
    server.iceberg(credential).list_namespaces()
    assert credential.partition(":")[2] not in server.log.read_text()


class TestCommands:
    def test_what_is_not_there_and_what_is_there_already(self, server: GuardedProcess) -> None:
        assert server.run("principal", "show", "nobody").returncode == 4
        server.credential("twice")
        again = server.run("principal", "create", "twice")
        assert again.returncode == 6
        assert "already exists" in again.stderr

    def test_a_principal_is_rotated_and_deleted(self, server: GuardedProcess) -> None:
        before = server.credential("rota")
        after = json.loads(server.ok("principal", "rotate", "rota", "--grace", "60", "--json"))["credential"]
        assert before != after
        shown = json.loads(server.ok("principal", "show", "rota", "--json"))
        assert [one["number"] for one in shown["secrets"]] == [1, 2]
        server.ok("principal", "delete", "rota", "--yes")
        assert "rota" not in [one["name"] for one in json.loads(server.ok("principal", "list", "--json"))]

    def test_grants_are_listed_as_they_were_given(self, server: GuardedProcess) -> None:
        server.credential("gran")
        server.grant("gran", "read", "--namespace", '["a.b","c"]', "--table", "t")
        server.grant("gran", "list")
        assert json.loads(server.ok("grants", "gran", "--json")) == [
            {"principal": "gran", "privilege": "list", "warehouse": "lake", "namespace": None, "table": None},
            {"principal": "gran", "privilege": "read", "warehouse": "lake", "namespace": ["a.b", "c"], "table": "t"},
        ]

    @pytest.mark.parametrize(
        "arguments",
        [["--table", "t"], ["--namespace", "a..b"], ["--namespace", "[1"], ["--namespace", "[1]"], ["--namespace", ""]],
    )
    def test_a_place_that_cannot_be_is_refused(self, server: GuardedProcess, arguments: list[str]) -> None:
        ended = server.run("grant", "anybody", "read", "--warehouse", "lake", *arguments)
        assert ended.returncode == 3
        assert "Traceback" not in ended.stderr
