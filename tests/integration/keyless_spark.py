"""A Spark program that has no keys to the store: it reads and writes with what the catalog gives it.

What it needs comes as JSON on standard input: the catalog's address, its token and the jars. It writes the rows it read.
"""

import json
import os
import sys

from pyspark.sql import SparkSession

MECHANISMS = ("remote-signing", "vended-credentials")


def main() -> None:
    given = json.loads(sys.stdin.read())
    assert not [name for name in os.environ if name.startswith("AWS_") and ("KEY" in name or "TOKEN" in name)]
    classpath = ":".join(given["jars"])
    builder = SparkSession.builder.master("local[1]").config("spark.driver.extraClassPath", classpath)
    properties = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    }
    for mechanism in MECHANISMS:
        properties |= catalog_properties(mechanism, given)
    for name, value in properties.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    rows = {mechanism: written_and_read(session, mechanism, given["namespace"]) for mechanism in MECHANISMS}
    session.stop()
    sys.stdout.write(json.dumps(rows) + "\n")


def catalog_properties(mechanism: str, given: dict[str, str]) -> dict[str, str]:
    name = f"spark.sql.catalog.{catalog_name(mechanism)}"
    return {
        name: "org.apache.iceberg.spark.SparkCatalog",
        f"{name}.type": "rest",
        f"{name}.uri": given["uri"],
        f"{name}.warehouse": given["warehouse"],
        f"{name}.token": given["token"],
        f"{name}.token-refresh-enabled": "false",
        f"{name}.io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        f"{name}.header.X-Iceberg-Access-Delegation": mechanism,
    }


def catalog_name(mechanism: str) -> str:
    return mechanism.replace("-", "_")


def written_and_read(session: SparkSession, mechanism: str, namespace: str) -> list[int]:
    """Rows of a table that was created, filled, changed, and rid of its old files."""
    catalog = catalog_name(mechanism)
    session.sql(f"CREATE NAMESPACE IF NOT EXISTS {catalog}.{namespace}")
    table = f"{catalog}.{namespace}.{catalog}"
    session.sql(f"CREATE TABLE {table} USING iceberg AS SELECT id, id % 2 AS part FROM range(4)")
    session.sql(f"INSERT INTO {table} VALUES (10, 0)")
    session.sql(f"DELETE FROM {table} WHERE id = 1")
    session.sql(
        f"CALL {catalog}.system.expire_snapshots(table => '{namespace}.{catalog}', "
        "older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)"
    )
    return sorted(row.id for row in session.sql(f"SELECT id FROM {table}").collect())


if __name__ == "__main__":
    main()
