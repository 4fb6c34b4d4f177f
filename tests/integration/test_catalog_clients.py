"""The catalog with clients that others wrote: pyiceberg and DuckDB, and our own."""

import importlib.util
from collections.abc import Generator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pydantic import SecretStr
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.exceptions import (
    CommitFailedException,
    NamespaceAlreadyExistsError,
    NamespaceNotEmptyError,
    NoSuchNamespaceError,
    NoSuchTableError,
    TableAlreadyExistsError,
    UnauthorizedError,
)
from pyiceberg.types import LongType

from boathouse.kit.access import CatalogAccess
from boathouse.kit.catalog_client import CatalogClient, Json, TableChange, TableName
from boathouse.kit.errors import Conflict, NotFound, Unauthenticated
from tests.integration.catalog_process import TOKEN, CatalogProcess

ROWS = pa.table({"id": pa.array([1, 2, 3], pa.int64()), "name": pa.array(["a", "b", "c"])})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[CatalogProcess]:
    with CatalogProcess(tmp_path_factory.mktemp("catalog")) as server:
        yield server


def pyiceberg_catalog(server: CatalogProcess, token: str = TOKEN) -> Catalog:
    return load_catalog("lake", type="rest", uri=server.uri, warehouse="lake", token=token)


@pytest.fixture(scope="module")
def iceberg(server: CatalogProcess) -> Catalog:
    return pyiceberg_catalog(server)


@pytest.fixture
def duck(server: CatalogProcess) -> Generator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    for name in ("avro", "httpfs", "iceberg"):
        connection.execute(f"LOAD '{extension(name)}'")
    connection.execute(f"CREATE SECRET lake (TYPE iceberg, TOKEN '{TOKEN}')")
    connection.execute(
        f"ATTACH 'lake' AS lake (TYPE iceberg, ENDPOINT '{server.uri}', SECRET lake, ACCESS_DELEGATION_MODE 'none')"
    )
    yield connection
    connection.close()


@pytest.fixture
def client(server: CatalogProcess) -> Generator[CatalogClient]:
    with CatalogClient(CatalogAccess(uri=server.uri, warehouse="lake", token=SecretStr(TOKEN))) as client:
        yield client


def extension(name: str) -> Path:
    """An extension of DuckDB out of its wheel: nothing is downloaded."""
    found = importlib.util.find_spec(f"duckdb_extension_{name}")
    assert found is not None
    assert found.submodule_search_locations
    return next(Path(found.submodule_search_locations[0]).rglob("*.duckdb_extension"))


class TestPyiceberg:
    def test_tables_are_written_read_and_evolved(self, iceberg: Catalog) -> None:
        iceberg.create_namespace("py")
        table = iceberg.create_table("py.orders", schema=ROWS.schema)
        table.append(ROWS)
        table.append(ROWS)
        with table.update_schema() as update:
            update.add_column("price", LongType())
        with table.transaction() as transaction:
            transaction.set_properties(owner="ann")
        table.delete("id = 2")
        found = iceberg.load_table("py.orders")
        assert found.scan().to_arrow().num_rows == 4
        assert found.schema().column_names == ["id", "name", "price"]
        assert found.properties["owner"] == "ann"
        assert len(found.history()) == 3

    def test_a_table_is_created_with_its_rows_at_one_moment(self, iceberg: Catalog) -> None:
        iceberg.create_namespace_if_not_exists("py")
        with iceberg.create_table_transaction("py.staged", schema=ROWS.schema) as transaction:
            transaction.append(ROWS)
            assert not iceberg.table_exists("py.staged")
        assert iceberg.load_table("py.staged").scan().to_arrow().num_rows == 3

    def test_a_stale_writer_is_refused(self, iceberg: Catalog) -> None:
        iceberg.create_namespace_if_not_exists("py")
        table = iceberg.create_table("py.stale", schema=ROWS.schema, properties={"commit.retry.num-retries": "0"})
        stale = iceberg.load_table("py.stale")
        table.append(ROWS)
        with pytest.raises(CommitFailedException, match="branch main was created concurrently"):
            stale.append(ROWS)

    def test_namespaces_and_names(self, iceberg: Catalog) -> None:
        iceberg.create_namespace(("deep",))
        iceberg.create_namespace(("deep", "er and/er"), {"a": "b"})
        iceberg.update_namespace_properties(("deep", "er and/er"), removals={"a"}, updates={"c": "d"})
        properties = iceberg.load_namespace_properties(("deep", "er and/er"))
        assert (properties["c"], properties.keys()) == ("d", {"c", "location"})
        assert iceberg.list_namespaces("deep") == [("deep", "er and/er")]
        iceberg.create_table(("deep", "er and/er", "t/1"), schema=ROWS.schema).append(ROWS)
        iceberg.rename_table(("deep", "er and/er", "t/1"), ("deep", "t 2"))
        assert iceberg.list_tables("deep") == [("deep", "t 2")]
        assert iceberg.load_table(("deep", "t 2")).scan().to_arrow().num_rows == 3
        iceberg.drop_namespace(("deep", "er and/er"))

    def test_refusals_are_the_exceptions_it_knows(self, iceberg: Catalog) -> None:
        iceberg.create_namespace("refusals")
        iceberg.create_table("refusals.t", schema=ROWS.schema)
        with pytest.raises(NamespaceAlreadyExistsError):
            iceberg.create_namespace("refusals")
        with pytest.raises(TableAlreadyExistsError):
            iceberg.create_table("refusals.t", schema=ROWS.schema)
        with pytest.raises(NamespaceNotEmptyError):
            iceberg.drop_namespace("refusals")
        with pytest.raises(NoSuchTableError):
            iceberg.load_table("refusals.nope")
        with pytest.raises(NoSuchNamespaceError):
            iceberg.list_tables("nope")

    def test_a_wrong_token_is_refused(self, server: CatalogProcess) -> None:
        with pytest.raises(UnauthorizedError):
            pyiceberg_catalog(server, token="wrong")

    def test_a_registered_table_goes_on(self, iceberg: Catalog) -> None:
        iceberg.create_namespace_if_not_exists("py")
        table = iceberg.create_table("py.kept", schema=ROWS.schema)
        table.append(ROWS)
        location = table.metadata_location
        iceberg.drop_table("py.kept")
        back = iceberg.register_table("py.back", location)
        back.append(ROWS)
        assert iceberg.load_table("py.back").scan().to_arrow().num_rows == 6


class TestDuckDB:
    def test_it_reads_what_pyiceberg_wrote(self, iceberg: Catalog, duck: duckdb.DuckDBPyConnection) -> None:
        iceberg.create_namespace_if_not_exists("duck")
        iceberg.create_table("duck.read", schema=ROWS.schema).append(ROWS)
        assert duck.execute("SELECT * FROM lake.duck.read ORDER BY id").fetchall() == [(1, "a"), (2, "b"), (3, "c")]

    def test_it_writes_what_pyiceberg_reads(self, iceberg: Catalog, duck: duckdb.DuckDBPyConnection) -> None:
        duck.execute("CREATE SCHEMA IF NOT EXISTS lake.ducks")
        duck.execute("CREATE TABLE lake.ducks.written (id BIGINT, name VARCHAR)")
        duck.execute("INSERT INTO lake.ducks.written VALUES (1, 'x'), (2, 'y')")
        assert iceberg.load_table("ducks.written").scan().to_arrow().to_pydict() == {"id": [1, 2], "name": ["x", "y"]}

    def test_a_transaction_changes_two_tables_at_one_moment(
        self, iceberg: Catalog, duck: duckdb.DuckDBPyConnection
    ) -> None:
        duck.execute("CREATE SCHEMA IF NOT EXISTS lake.ducks")
        for name in ("one", "two"):
            duck.execute(f"CREATE TABLE lake.ducks.{name} (id BIGINT)")
        duck.execute("BEGIN")
        duck.execute("INSERT INTO lake.ducks.one VALUES (1)")
        duck.execute("INSERT INTO lake.ducks.two VALUES (2)")
        duck.execute("COMMIT")
        assert [iceberg.load_table(f"ducks.{name}").scan().to_arrow().num_rows for name in ("one", "two")] == [1, 1]


class TestOurOwn:
    def test_namespaces_and_tables(self, client: CatalogClient, iceberg: Catalog) -> None:
        client.create_namespace(("own", "deep"))
        client.create_namespace(("own", "deep"))
        for name in ("a", "b"):
            iceberg.create_table(("own", "deep", name), schema=ROWS.schema)
        assert ("own",) in set(client.namespaces())
        assert list(client.namespaces(("own",))) == [("own", "deep")]
        tables = [TableName(("own", "deep"), name) for name in ("a", "b")]
        assert list(client.tables(("own", "deep"))) == tables
        client.drop_table(tables[0])
        assert client.find_table(tables[0]) is None
        with pytest.raises(NotFound, match=r"Table does not exist: own\.deep\.a"):
            client.load_table(tables[0])

    def test_a_staged_table_is_created_by_a_transaction(self, client: CatalogClient) -> None:
        client.create_namespace(("own",))
        table = TableName(("own",), "published")
        schema = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}
        staged = client.stage_create(table, {"schema": schema}).metadata
        client.commit([TableChange(table, [{"type": "assert-create"}], creation_of(staged))])
        created = client.load_table(table)
        assert created.metadata["table-uuid"] == staged["table-uuid"]
        assert created.metadata["location"] == staged["location"]
        with pytest.raises(Conflict, match="table already exists"):
            client.commit([TableChange(table, [{"type": "assert-create"}], creation_of(staged))])

    def test_a_wrong_token_is_refused(self, server: CatalogProcess) -> None:
        access = CatalogAccess(uri=server.uri, warehouse="lake", token=SecretStr("wrong"))
        with CatalogClient(access) as stranger, pytest.raises(Unauthenticated):
            list(stranger.namespaces())


def creation_of(metadata: Json) -> list[Json]:
    """The updates that make a table as it was staged."""
    return [
        {"action": "assign-uuid", "uuid": metadata["table-uuid"]},
        {"action": "upgrade-format-version", "format-version": metadata["format-version"]},
        {"action": "add-schema", "schema": metadata["schemas"][0]},
        {"action": "set-current-schema", "schema-id": -1},
        {"action": "add-spec", "spec": metadata["partition-specs"][0]},
        {"action": "set-default-spec", "spec-id": -1},
        {"action": "add-sort-order", "sort-order": metadata["sort-orders"][0]},
        {"action": "set-default-sort-order", "sort-order-id": -1},
        {"action": "set-location", "location": metadata["location"]},
        {"action": "set-properties", "updates": metadata["properties"]},
    ]
