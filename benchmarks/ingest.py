"""An ingest with expectations, against bare PySpark reading and appending the same file on the same server."""

import statistics
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql.connect.session import SparkSession

from benchmarks.lakehouse import bench_lakehouse, finish
from boathouse.engines.spark.connect import open_session
from boathouse.kit.access import LakeAccess
from boathouse.pipelines.ingest.load import Load
from boathouse.pipelines.spec import parse_spec

ROWS = 4_500_000
ROUNDS = 5
SCHEMA = "order_id bigint, ordered_at timestamp, customer string, region string, product string, quantity int, unit_price decimal(10,2), discount double"
SPEC = """
pipeline: orders
source: {{path: {path}, format: csv}}
schema:
  order_id: bigint
  ordered_at: timestamp
  customer: string
  region: string
  product: string
  quantity: int
  unit_price: decimal(10,2)
  discount: double
expectations:
  - {{name: quantity is positive, check: quantity > 0}}
  - {{name: price is known, check: unit_price is not null}}
  - {{name: discount is a share, check: discount between 0 and 1, otherwise: drop}}
target: {{table: bench.{table}}}
"""


def main() -> None:
    with bench_lakehouse() as lakehouse:
        lakehouse.cli("up")
        access = LakeAccess.load(lakehouse.home)
        clean, dirty = (
            _write(lakehouse.home, f"{name}.csv", share) for name, share in (("clean", 0.0), ("dirty", 0.001))
        )
        with open_session(access.spark) as session:
            session.sql("CREATE NAMESPACE IF NOT EXISTS bench")
        # The first round of each warms the server's compiler and is not counted.
        bare, ours, rejecting = [], [], []
        for number in range(ROUNDS + 1):
            bare.append(_bare(access, dirty, number))
            ours.append(_ours(access, clean, f"clean_{number}"))
            rejecting.append(_ours(access, dirty, f"dirty_{number}"))
            print(
                f"round {number}: bare {bare[-1]:.2f} s, ours {ours[-1]:.2f} s, ours with rejects {rejecting[-1]:.2f} s",
                flush=True,
            )
        _report(clean.stat().st_size, bare[1:], ours[1:], rejecting[1:])


def _report(size: int, bare: list[float], ours: list[float], rejecting: list[float]) -> None:
    megabytes = size / 1e6
    speeds = {name: megabytes / statistics.median(times) for name, times in (("bare", bare), ("ours", ours))}
    speeds["rejects"] = megabytes / statistics.median(rejecting)
    # Round by round: what the machine does beside it, it does to both.
    ratio, with_rejects = (
        statistics.median(one / other for one, other in zip(bare, times, strict=True)) for times in (ours, rejecting)
    )
    print(f"bare PySpark read.csv().writeTo().append()        {speeds['bare']:6.1f} MB/s")
    print(
        f"boathouse, three expectations, no bad row         {speeds['ours']:6.1f} MB/s  {ratio:.2f} of bare  (aim: 0.9)"
    )
    print(
        f"boathouse, one row in 1,000 bad and quarantined   {speeds['rejects']:6.1f} MB/s  {with_rejects:.2f} of bare"
    )
    finish(
        "ingest",
        {
            "megabytes": round(megabytes),
            "bare_mb_s": round(speeds["bare"], 1),
            "ours_mb_s": round(speeds["ours"], 1),
            "ours_with_rejects_mb_s": round(speeds["rejects"], 1),
            "ratio": round(ratio, 3),
            "ratio_with_rejects": round(with_rejects, 3),
        },
    )


def _bare(access: LakeAccess, path: Path, number: int) -> float:
    with open_session(access.spark) as session:
        session.sql(f"CREATE TABLE bench.bare_{number} ({SCHEMA}) USING iceberg")
        began = time.perf_counter()
        session.read.csv(f"file://{path}", schema=SCHEMA, header=True).writeTo(f"bench.bare_{number}").append()
        seconds = time.perf_counter() - began
        _drop(session, f"bare_{number}")
    return seconds


def _ours(access: LakeAccess, path: Path, table: str) -> float:
    spec = parse_spec(SPEC.format(path=path, table=table), "bench")
    with open_session(access.spark) as session:
        began = time.perf_counter()
        report = Load(spec, path.parent, session, access, lambda _: None).run()
        seconds = time.perf_counter() - began
        assert report.rows_in == ROWS, report
        for suffix in ("", "__rejects", "__loads"):
            _drop(session, table + suffix)
    return seconds


def _drop(session: SparkSession, table: str) -> None:
    session.sql(f"DROP TABLE bench.{table} PURGE")


def _write(folder: Path, name: str, bad: float) -> Path:
    """About 300 MB of orders, the same every time."""
    chance = np.random.default_rng(7)
    regions = np.array(["North", "South", "East", "West"])
    products = np.array(["Oar", "Canoe", "Kayak", "Paddle", "Life vest", "Rope, 10 m"])
    broken = chance.random(ROWS) < bad
    quantity = chance.integers(1, 20, ROWS)
    price = np.char.mod("%.2f", chance.integers(100, 90_000, ROWS) / 100)
    half = chance.random(ROWS) < 0.5
    times = np.datetime64("2026-01-01T00:00:00") + chance.integers(0, 300 * 86_400, ROWS).astype("timedelta64[s]")
    table = pa.table(
        {
            "order_id": np.arange(ROWS),
            "ordered_at": np.char.replace(np.datetime_as_string(times), "T", " "),
            "customer": np.char.add("customer-", chance.integers(0, 50_000, ROWS).astype(str)),
            "region": regions[chance.integers(0, 4, ROWS)],
            "product": products[chance.integers(0, 6, ROWS)],
            "quantity": np.where(broken & half, -quantity, quantity),
            "unit_price": np.where(broken & ~half, "n/a", price),
            "discount": chance.integers(0, 30, ROWS) / 100,
        }
    )
    path = folder / name
    table.to_pandas().to_csv(path, index=False)  # quotes only what needs it, as most writers do
    return path
