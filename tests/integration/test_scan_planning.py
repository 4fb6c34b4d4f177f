"""Scans that the catalog plans for pyiceberg and for Spark, beside those that they plan for themselves."""

from collections.abc import Generator

import orjson
import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog, load_catalog

from tests.integration.catalog_process import TOKEN, CatalogProcess
from tests.spark_alone import run_with_spark, spark_jars

SPARK = """
import json, sys
from pyspark.sql import SparkSession
uri, token, jar = sys.argv[1:]
options = {
    "spark.jars": jar, "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "1",
    "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}
for name, mode in (("alone", "client"), ("lake", "server")):
    catalog = f"spark.sql.catalog.{name}"
    options |= {
        catalog: "org.apache.iceberg.spark.SparkCatalog", f"{catalog}.type": "rest", f"{catalog}.uri": uri,
        f"{catalog}.warehouse": "lake", f"{catalog}.token": token, f"{catalog}.cache-enabled": "false",
        f"{catalog}.scan-planning-mode": mode,
    }
builder = SparkSession.builder.master("local[1]")
for name, value in options.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sql("CREATE NAMESPACE alone.s")
wheres = ["true", "id = 5", "id < 3 OR day = DATE'2024-01-03'", "name LIKE 'n1%'", "day IS NULL", "NOT (id IN (1, 2, 7))",
          "at >= TIMESTAMP'2024-01-02 00:00:00'", "price > 10.5", "name IS NULL OR price = 2.25"]
merging = "'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read'"
def compare(table):
    for where in wheres:
        rows = [sorted(map(str, spark.sql(f"SELECT * FROM {one}.s.{table} WHERE {where}").collect()))
                for one in ("alone", "lake")]
        print("compared", json.dumps([table, where, rows[0] == rows[1], len(rows[0]), len(rows[1])]))
for version in (1, 2, 3):
    properties = f"'format-version'='{version}'" + (f", {merging}" if version > 1 else "")
    spark.sql(f"CREATE TABLE alone.s.t{version} (id BIGINT, name STRING, day DATE, at TIMESTAMP, price DECIMAL(9,2)) "
              f"PARTITIONED BY (day, bucket(4, id), truncate(2, name)) TBLPROPERTIES ({properties})")
    for part in range(3):
        spark.sql(f"INSERT INTO alone.s.t{version} SELECT id, IF(id % 5 = 0, NULL, 'n' || id), "
                  f"IF(id % 7 = 0, NULL, DATE'2024-01-01' + CAST(id % 3 AS INT)), "
                  f"TIMESTAMP'2024-01-01 12:00:00' + MAKE_INTERVAL(0, 0, 0, CAST(id % 3 AS INT)), id * 0.75 "
                  f"FROM RANGE({part * 10}, {part * 10 + 10})")
    spark.sql(f"DELETE FROM alone.s.t{version} WHERE id IN (4, 11, 12)")
    spark.sql(f"UPDATE alone.s.t{version} SET name = 'n1x' WHERE id = 9")
    compare(f"t{version}")
# The first version keeps a partition field that is dropped, as one that is always null.
spark.sql("ALTER TABLE alone.s.t1 DROP PARTITION FIELD day")
spark.sql("INSERT INTO alone.s.t1 SELECT id + 100, name, day, at, price FROM alone.s.t1 WHERE id < 4")
compare("t1")
spark.sql(f"ALTER TABLE alone.s.t1 SET TBLPROPERTIES ('format-version'='2', {merging})")
spark.sql("DELETE FROM alone.s.t1 WHERE id IN (1, 101)")
compare("t1")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[CatalogProcess]:
    with CatalogProcess(tmp_path_factory.mktemp("catalog")) as server:
        yield server


def planned_by(server: CatalogProcess, mode: str) -> Catalog:
    options = {"uri": server.uri, "warehouse": "lake", "token": TOKEN, "scan-planning-mode": mode}
    return load_catalog("lake", type="rest", **options)


def requests(server: CatalogProcess, ending: str) -> int:
    lines = [orjson.loads(line) for line in server.log.read_bytes().splitlines() if line.startswith(b"{")]
    return sum(line.get("path", "").endswith(ending) and line["status"] == 200 for line in lines)


@pytest.mark.parametrize("version", ["1", "2"])
def test_pyiceberg_reads_the_same_rows(server: CatalogProcess, version: str) -> None:
    alone, lake = (planned_by(server, mode) for mode in ("client", "server"))
    name = f"py{version}.t"
    alone.create_namespace(f"py{version}")
    rows = pa.table({"id": pa.array(range(20), pa.int64()), "name": [f"n{number}" for number in range(20)]})
    table = alone.create_table(name, schema=rows.schema, properties={"format-version": version})
    table.append(rows.slice(0, 10))
    table.append(rows.slice(10))
    for found in (
        "id >= 0",
        "id < 3",
        "id > 12 and name != 'n15'",
        "name LIKE 'n1%'",
        "id in (1, 11)",
        "not id = 4",
    ):
        expected = table.scan(row_filter=found).to_arrow().sort_by("id")
        assert lake.load_table(name).scan(row_filter=found).to_arrow().sort_by("id") == expected, found
    assert len(list(lake.load_table(name).scan(row_filter="id < 3").plan_files())) == 1
    # The last request's line may be written after its answer was read.
    assert requests(server, f"/py{version}/tables/t/plan") >= 6


def test_spark_reads_the_same_rows_deletes_applied(server: CatalogProcess) -> None:
    jar = next(path for path in spark_jars() if path.name.startswith("iceberg-spark-runtime"))
    ended = run_with_spark(["-c", SPARK, server.uri, TOKEN, str(jar)])
    compared = [orjson.loads(line[9:]) for line in ended.stdout.splitlines() if line.startswith("compared ")]
    assert len(compared) == 45, ended.stderr[-3000:]
    assert [one for one in compared if not one[2]] == []
    assert [one[3] for one in compared if one[1] == "true"] == [27, 27, 27, 31, 29]
    assert all(requests(server, f"/{table}/plan") >= 9 for table in ("t1", "t2", "t3"))
