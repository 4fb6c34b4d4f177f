"""The engines that SQL runs on, each with its own words for the same things."""

from dataclasses import dataclass
from typing import Any

from tests.integration.worker_process import Workspace


@dataclass(frozen=True)
class Engine:
    name: str
    connection: str | None
    types: dict[str, str]
    """An expression of each type; what it is as a row tells it is the same for all."""
    numbers: str
    """The numbers below :n, as a table with the column `id`."""
    endless: str
    new_schema: str = "CREATE SCHEMA IF NOT EXISTS lake.{0}"

    def spec(self, sql: str, **more: Any) -> dict[str, Any]:
        return {"sql": sql, **({"connection": self.connection} if self.connection else {}), **more}


SPARK = Engine(
    name="spark",
    connection=None,
    types={
        "decimal": "CAST('1.20' AS DECIMAL(9, 2))",
        "bigint": "9223372036854775807",
        "double": "CAST(0.5 AS DOUBLE)",
        "nothing": "CAST(NULL AS INT)",
        "text": "'it''s ☂'",
        "binary": "X'6162'",
        "day": "DATE '2026-01-31'",
        "local": "TIMESTAMP_NTZ '2026-01-31 03:04:05.123456'",
        "instant": "TIMESTAMP '2026-01-31 03:04:05.123456+01:00'",
        "list": "array(1, NULL)",
        "pairs": "map(1, 'x', 2, 'y')",
        "struct": "named_struct('x', 1, 'y', array(X'61'))",
        "interval": "INTERVAL '-1 02:00:00' DAY TO SECOND",
        "infinite": "CAST('-Infinity' AS DOUBLE)",
    },
    numbers="range(:n)",
    endless="SELECT count(*) FROM range(100000000000) WHERE sqrt(id) < 0",
)
TRINO = Engine(
    name="trino",
    connection="trino",
    types={
        "decimal": "CAST('1.20' AS DECIMAL(9, 2))",
        "bigint": "9223372036854775807",
        "double": "CAST(0.5 AS DOUBLE)",
        "nothing": "CAST(NULL AS INTEGER)",
        "text": "'it''s ☂'",
        "binary": "X'6162'",
        "day": "DATE '2026-01-31'",
        "local": "TIMESTAMP '2026-01-31 03:04:05.123456'",
        "instant": "TIMESTAMP '2026-01-31 03:04:05.123456 Europe/Zurich'",
        "list": "ARRAY[1, NULL]",
        "pairs": "MAP(ARRAY[1, 2], ARRAY['x', 'y'])",
        "struct": "CAST(ROW(1, ARRAY[X'61']) AS ROW(x INTEGER, y ARRAY(VARBINARY)))",
        "interval": "- INTERVAL '1 02:00:00' DAY TO SECOND",
        "infinite": "-infinity()",
    },
    numbers="(SELECT id - 1 AS id FROM UNNEST(sequence(1, :n)) AS t(id))",
    endless="SELECT count(*) FROM tpch.sf100000.lineitem WHERE sqrt(orderkey) < 0",
    # Without a location it would make no table there.
    new_schema="CREATE SCHEMA IF NOT EXISTS lake.{0} WITH (location = 's3://lakehouse/warehouse/{0}')",
)
VALUES: dict[str, Any] = {
    "decimal": "1.20",
    "bigint": "9223372036854775807",  # as text, for a browser would round it
    "double": 0.5,
    "nothing": None,
    "text": "it's ☂",
    "binary": "YWI=",
    "day": "2026-01-31",
    "local": "2026-01-31T03:04:05.123456",
    "instant": "2026-01-31T02:04:05.123456+00:00",
    "list": [1, None],
    "pairs": [[1, "x"], [2, "y"]],
    "struct": {"x": 1, "y": ["YQ=="]},
    "interval": "-2 days, 22:00:00",
    "infinite": "-inf",
}
TYPES = {"decimal": "decimal128(9, 2)", "binary": "binary", "day": "date32[day]", "local": "timestamp[us]"}


class Asked:
    """Jobs on an engine, from their text to their rows."""

    def __init__(self, workspace: Workspace, engine: Engine) -> None:
        self.workspace = workspace
        self.engine = engine

    def submit(self, sql: str, *, values: dict[str, Any] | None = None, rows: int = 100, **more: Any) -> str:
        types = {str: "string", bool: "boolean", int: "integer", float: "number"}
        given = values or {}
        parameters = [{"name": name, "type": types[type(value)]} for name, value in given.items()]
        name = f"on-{self.engine.name}"
        definition = {"parameters": parameters, "retries": {"count": 0}, **more}
        spec = self.engine.spec(sql, rows=rows)
        self.workspace.job(name, kind="sql", spec=spec, concurrency={"most": 100}, **definition)
        return self.workspace.submit(name, values=given)

    def run(self, sql: str, **more: Any) -> Any:
        return self.workspace.ended(self.submit(sql, **more))

    def page(self, sql: str, *, offset: int = 0, limit: int = 100, **more: Any) -> Any:
        run = self.run(sql, **more)
        assert run["state"] == "succeeded", self.workspace.log(run["id"])
        return self.rows(run, offset, limit)

    def rows(self, run: Any, offset: int = 0, limit: int = 100) -> Any:
        answer = self.workspace.http.get(f"/runs/{run['id']}/result", params={"offset": offset, "limit": limit})
        return answer.raise_for_status().json()
