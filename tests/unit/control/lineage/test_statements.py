"""Which tables SQL reads and writes."""

import pytest

from boathouse.control.lineage.statements import touched_by
from boathouse.control.lineage.table_names import SparkNames, TrinoNames

CASES: list[tuple[str, list[str], list[str]]] = [
    ("CREATE TABLE a.x AS SELECT * FROM b.y", ["b.y"], ["a.x"]),
    ("CREATE OR REPLACE TABLE s.b USING iceberg PARTITIONED BY (days(t)) AS SELECT * FROM s.a", ["s.a"], ["s.b"]),
    ("CREATE TABLE s.a (id bigint) USING iceberg", [], ["s.a"]),
    ("CREATE VIEW s.v AS SELECT * FROM s.a", ["s.a"], ["s.v"]),
    ("INSERT INTO lake.s.b SELECT * FROM s.a JOIN `lake`.`t`.`c` USING (id)", ["s.a", "t.c"], ["s.b"]),
    ("INSERT INTO s.b (i, j) SELECT i, j FROM s.b", ["s.b"], ["s.b"]),
    ("INSERT OVERWRITE t SELECT 1", [], ["default.t"]),
    ("MERGE INTO s.t USING (SELECT * FROM s.u) u ON t.i = u.i WHEN MATCHED THEN UPDATE SET *", ["s.u"], ["s.t"]),
    ("UPDATE s.t SET a = 1 WHERE i IN (SELECT i FROM s.k)", ["s.k"], ["s.t"]),
    ("DELETE FROM s.t WHERE a = 1", [], ["s.t"]),
    ("TRUNCATE TABLE s.t", [], ["s.t"]),
    ("WITH a AS (SELECT * FROM s.q) SELECT * FROM a, s.a", ["s.a", "s.q"], []),
    ("SELECT * FROM s.orders.snapshots", ["s.orders"], []),
    ("SELECT * FROM lake.s.deep.orders.files", ["s.deep.orders"], []),
    ("SELECT * FROM s.t VERSION AS OF 5", ["s.t"], []),
    ("SELECT * FROM parquet.`s3a://bucket/in/`", ["s3://bucket/in"], []),
    ("SELECT id FROM range(:n) WHERE day = :day", [], []),
    ("SELECT 1 FROM s.a UNION ALL (SELECT 2 FROM s.b)", ["s.a", "s.b"], []),
    ("USE lake.s; SELECT * FROM a; USE CATALOG lake; SELECT * FROM t.b", ["s.a", "t.b"], []),
    ("CREATE TEMP VIEW v AS SELECT * FROM s.a; INSERT INTO s.b SELECT * FROM v", ["s.a"], ["s.b"]),
    ("DROP TABLE s.t", [], []),
    ("CREATE NAMESPACE IF NOT EXISTS s", [], []),
    ("CREATE FUNCTION s.f AS 'x.Y'", [], []),
    ("DESCRIBE s.t", [], []),
    ("CALL lake.system.rewrite_data_files('s.t')", [], []),
    ("SELEC nonsense ((", [], []),
    ("", [], []),
]


@pytest.mark.parametrize(("sql", "reads", "writes"), CASES)
def test_what_statements_touch(sql: str, reads: list[str], writes: list[str]) -> None:
    touched = touched_by(sql.split(";"), SparkNames("lake"))
    assert (sorted(touched.reads), sorted(touched.writes)) == (reads, writes)


def test_one_that_cannot_be_understood_hides_no_other() -> None:
    touched = touched_by(
        ["SELECT * FROM s.a", "SELECT ((((", "SELECT " + "(" * 5000, "INSERT INTO s.b SELECT 1"], SparkNames("lake")
    )
    assert (touched.reads, touched.writes) == ({"s.a"}, {"s.b"})


ON_TRINO: list[tuple[str, list[str], list[str]]] = [
    ("CREATE TABLE a.x WITH (format = 'PARQUET') AS SELECT * FROM b.y", ["b.y"], ["a.x"]),
    ("INSERT INTO lake.S.b SELECT * FROM tpch.tiny.nation JOIN s.a USING (id)", ["s.a", "tpch.tiny.nation"], ["s.b"]),
    ("MERGE INTO s.t USING s.u u ON t.i = u.i WHEN MATCHED THEN DELETE", ["s.u"], ["s.t"]),
    ("UPDATE s.t SET a = 1 WHERE i IN (SELECT i FROM s.k)", ["s.k"], ["s.t"]),
    ('SELECT * FROM s."Orders$snapshots"', ["s.orders"], []),
    ("SELECT * FROM s.t FOR VERSION AS OF 5", ["s.t"], []),
    ("SELECT * FROM orders", [], []),
    ("USE s; SELECT * FROM a; USE tpch.tiny; SELECT * FROM nation, lake.s.b", ["s.a", "s.b", "tpch.tiny.nation"], []),
    ("SELECT * FROM UNNEST(ARRAY[1, 2]) AS t(n) WHERE n = :n", [], []),
    ("EXPLAIN SELECT * FROM s.a", [], []),
    ("SHOW TABLES FROM s", [], []),
]


@pytest.mark.parametrize(("sql", "reads", "writes"), ON_TRINO)
def test_what_statements_on_trino_touch(sql: str, reads: list[str], writes: list[str]) -> None:
    touched = touched_by(sql.split(";"), TrinoNames("lake", "lake"))
    assert (sorted(touched.reads), sorted(touched.writes)) == (reads, writes)


def test_a_name_on_trino_without_a_catalog_is_no_datasets() -> None:
    touched = touched_by(["SELECT * FROM s.a, lake.s.b"], TrinoNames("lake", None))
    assert touched.reads == {"s.b"}
