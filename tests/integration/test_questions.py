"""A story whose figures are known beforehand: a table is made, filled by a load and by SQL, and asked."""

from collections import Counter
from decimal import Decimal

import pytest

from tests.loading import Loading

pytestmark = pytest.mark.stack

SPEC = """
    pipeline: orders
    source: {path: "*.csv", format: csv}
    schema: {id: bigint, region: string, amount: "decimal(10,2)"}
    target: {table: NS.orders}
"""
ORDERS = [(number, "NESW"[number % 3], Decimal(number) / 4) for number in range(1000)]


@pytest.fixture
def orders(loading: Loading) -> Loading:
    loading.write("orders.csv", "id,region,amount\n" + "".join(f"{i},{r},{a}\n" for i, r, a in ORDERS))
    assert loading.run(SPEC).rows_written == len(ORDERS)
    loading.session.sql(f"insert into lake.{loading.namespace}.orders values (1000, 'W', 7.25)")
    return loading


def test_groups_are_counted_and_summed_exactly(orders: Loading) -> None:
    everything = [*ORDERS, (1000, "W", Decimal("7.25"))]
    counts = Counter(region for _, region, _ in everything)
    sums = {name: sum(amount for _, region, amount in everything if region == name) for name in counts}
    answer = orders.rows("select region, count(*), sum(amount) from NS.orders group by region order by region")
    assert answer == [(name, counts[name], sums[name]) for name in sorted(counts)]


def test_rows_are_filtered_and_columns_chosen(orders: Loading) -> None:
    answer = orders.rows("select id, amount from NS.orders where region = 'W' or id < 2 order by id")
    assert answer == [(0, Decimal(0)), (1, Decimal("0.25")), (1000, Decimal("7.25"))]


def test_every_data_file_is_parquet(orders: Loading) -> None:
    files = orders.rows("select distinct file_format, substring_index(file_path, '.', -1) from NS.orders.files")
    assert files == [("PARQUET", "parquet")]
