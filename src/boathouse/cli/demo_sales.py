"""The demo's example: a boat shop's orders, seeded, so that everybody sees the same figures."""

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

SPEC = """\
# A pipeline: where the data comes from, what it must look like, and where it goes.
pipeline: orders
source:
  path: orders-*.csv
  format: csv
schema:
  order_id: bigint
  ordered_at: timestamp
  customer: string
  region: string
  product: string
  quantity: int
  unit_price: decimal(10,2)
derive:
  amount: quantity * unit_price
expectations:
  - name: quantity is positive
    check: quantity > 0
    otherwise: quarantine
  - name: region is known
    check: region in ('North', 'South', 'East', 'West')
    otherwise: quarantine
target:
  table: sales.orders
  partition_by: [month(ordered_at)]
"""
HEADER = ["order_id", "ordered_at", "customer", "region", "product", "quantity", "unit_price"]
REGIONS = {"North": 0.36, "South": 0.21, "East": 0.25, "West": 0.18}
PRODUCTS = {
    "Oar": 48.50,
    "Paddle": 39.90,
    "Life vest": 72.00,
    "Rope, 10 m": 12.75,
    "Kayak": 640.00,
    "Canoe": 890.00,
    "Dry bag": 27.30,
}
WEIGHTS = [18, 16, 14, 22, 5, 3, 22]
# One row in 300 is broken in one of four ways.
BROKEN_EVERY = 300


@dataclass(frozen=True)
class Period:
    """A file of orders."""

    name: str
    first_day: datetime
    days: int
    rows: int
    first_order: int


FIRST_HALF = Period("orders-2026-h1.csv", datetime(2026, 1, 1, tzinfo=UTC), 181, 100_000, 1)
JULY = Period("orders-2026-07.csv", datetime(2026, 7, 1, tzinfo=UTC), 31, 24_000, 100_001)

QUESTIONS = [
    (
        "How does the year go?",
        "line",
        """\
select date_format(ordered_at, 'MMM') as month, cast(sum(amount) / 1000 as double) as `revenue, thousands`
from sales.orders group by month, month(ordered_at) order by month(ordered_at)""",
    ),
    (
        "Which region sells most?",
        "bar",
        """\
select region, cast(sum(amount) / 1000 as double) as `revenue, thousands`
from sales.orders group by region order by 2 desc""",
    ),
    (
        "What sells?",
        "bar",
        "select product, sum(quantity) as pieces\nfrom sales.orders group by product order by 2 desc",
    ),
]

TIME_TRAVEL = """\
select 'now' as `when`, count(*) as orders, sum(amount) as revenue from sales.orders
union all
select 'before July', count(*), sum(amount) from sales.orders version as of {then}"""


def write_period(folder: Path, period: Period) -> Path:
    """Write the file, the same bytes every time."""
    path = folder / period.name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(_orders(period))
    return path


def _orders(period: Period) -> Iterator[list[str]]:
    chance = random.Random(period.name)  # noqa: S311 - a seeded example, not a secret
    names, prices = list(PRODUCTS), list(PRODUCTS.values())
    for place in range(period.rows):
        product = chance.choices(range(len(names)), WEIGHTS)[0]
        # People buy boats when it gets warm: the later in the period, the more likely.
        share = chance.triangular(0, 1, 0.8)
        moment = period.first_day + timedelta(days=period.days * share)
        row = [
            str(period.first_order + place),
            moment.strftime("%Y-%m-%d %H:%M:%S"),
            f"customer-{chance.randrange(8_000):04}",
            chance.choices(list(REGIONS), list(REGIONS.values()))[0],
            names[product],
            str(chance.choices([1, 2, 3, 4, 10], [60, 20, 10, 7, 3])[0]),
            f"{prices[product] * chance.uniform(0.9, 1.1):.2f}",
        ]
        yield _broken(row, chance) if place % BROKEN_EVERY == BROKEN_EVERY - 1 else row


def _broken(row: list[str], chance: random.Random) -> list[str]:
    """A row as real files have them."""
    match chance.randrange(4):
        case 0:
            row[5] = f"-{row[5]}"
        case 1:
            row[6] = "n/a"
        case 2:
            row[3] = "Nroth"
        case _:
            row = row[:4]
    return row
