"""Views through Spark: what one session defines, the catalog keeps for all."""

from collections.abc import Iterator

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql.connect.session import SparkSession

pytestmark = pytest.mark.stack

VIEW = "view_tests.big"


@pytest.fixture
def orders(session: SparkSession) -> Iterator[str]:
    session.sql("CREATE NAMESPACE IF NOT EXISTS view_tests")
    session.sql("CREATE OR REPLACE TABLE view_tests.orders (id BIGINT, price INT)")
    session.sql("INSERT INTO view_tests.orders VALUES (1, 5), (2, 50), (3, 500)")
    yield "view_tests.orders"
    session.sql(f"DROP VIEW IF EXISTS {VIEW}")
    session.sql("DROP TABLE view_tests.orders PURGE")
    session.sql("DROP NAMESPACE view_tests")


def ids(session: SparkSession) -> list[int]:
    return [row["id"] for row in session.sql(f"SELECT id FROM {VIEW} ORDER BY id").collect()]


def test_a_view_is_created_read_replaced_and_dropped(session: SparkSession, orders: str) -> None:
    session.sql(f"CREATE VIEW {VIEW} AS SELECT id FROM {orders} WHERE price > 10")
    assert ids(session) == [2, 3]
    session.sql(f"INSERT INTO {orders} VALUES (4, 5000)")
    assert ids(session) == [2, 3, 4]
    session.sql(f"CREATE OR REPLACE VIEW {VIEW} AS SELECT id, price FROM {orders} WHERE price > 100")
    assert ids(session) == [3, 4]
    assert [row["viewName"] for row in session.sql("SHOW VIEWS IN view_tests").collect()] == ["big"]
    session.sql(f"DROP VIEW {VIEW}")
    with pytest.raises(AnalysisException, match="cannot be found"):
        ids(session)


def test_a_view_may_not_take_a_tables_name(session: SparkSession, orders: str) -> None:
    with pytest.raises(AnalysisException, match=r"(?i)already exists"):
        session.sql(f"CREATE VIEW {orders} AS SELECT 1 AS id")
