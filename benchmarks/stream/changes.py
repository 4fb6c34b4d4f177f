"""Changes made in Postgres, through Debezium: how fast a table is taken in that was there before, and how many changes a second."""

import asyncio
import time
from typing import Any

from benchmarks.stream.setting import Running, Setting, Sizes, against, in_words, per_million
from boathouse.cli.meters.comparison import TABLES, Comparison
from boathouse.cli.meters.database import prepare
from boathouse.cli.meters.generate import Done, Plan, generate
from boathouse.engines.spark.connect import open_session
from boathouse.kit.access import of_stream
from boathouse.pipelines.stream import offsets
from boathouse.pipelines.stream.status import SOURCE
from boathouse.pipelines.stream.topics import Topics

Json = dict[str, Any]
_OLD_ROWS = """
INSERT INTO old_readings SELECT n, n % 1000, timestamptz '2025-01-01' + n * interval '1 second', (n % 5000) / 1000.0, false, null
FROM generate_series(1, {rows}) n
"""
_QUIET = 3.0
# What Java compiles at first, in Debezium and in the pipeline, is not what they take from then on.
_WARM_UP = 30
_OLD_TOPIC = "benchold.public.old_readings"
_OLD_SPEC = """
pipeline: benchold
source: {kind: postgres, tables: [public.old_readings]}
bronze: {table: bench_old_log.changes, every: 5s}
silver: {namespace: bench_old, every: 10s}
speed: {database: bench_old, every: 500ms}
"""
_SPEC = """
pipeline: benchmeters
source: {kind: postgres, tables: [public.customers, public.meters, public.readings]}
bronze: {table: bench_meters_log.changes, every: 5s}
silver: {namespace: bench_meters, every: 30s}
speed:
  database: bench_meters
  every: 500ms
  rollups:
    - {name: kwh_by_day, table: public.readings, by: {day: toDate(read_at)}, sums: {kwh: "ifNull(kwh, 0)"}}
"""


def snapshot(setting: Setting, sizes: Sizes) -> Json:
    """Rows that were there when Debezium came."""

    async def fill(connection: Any) -> None:
        await connection.execute("CREATE TABLE old_readings (LIKE readings INCLUDING ALL)")
        await connection.execute(_OLD_ROWS.format(rows=sizes.snapshot_rows))

    setting.in_postgres(prepare)
    setting.in_postgres(fill)
    with setting.pipeline("benchold", _OLD_SPEC) as running:
        running.count_cpu()
        topics = Topics(setting.kafka, [_OLD_TOPIC])
        began, _ = _await_rows(running, topics, 1)
        _, ended = _await_rows(running, topics, sizes.snapshot_rows)
        in_kafka = sizes.snapshot_rows / (ended - began)
        arrived = running.await_all()
        cpu = per_million(running.cpu(), sizes.snapshot_rows)
    rates = {name: round(sizes.snapshot_rows / max(0.1, at - began)) for name, at in arrived.items()}
    against("rows of a snapshot into Kafka, a second", f"{in_kafka:,.0f}", "30,000")
    for name, rate in rates.items():
        against(f"  to the last one in {name}, a second", f"{rate:,}")
    against("CPU seconds for a million rows", in_words(cpu, "s"))
    return {"into_kafka_per_s": round(in_kafka), "arrived_per_s": rates, "cpu_s_per_million": cpu}


def changes(setting: Setting, sizes: Sizes) -> Json:
    """The power company at work."""
    address = of_stream(setting.access.postgres, "Postgres")
    setting.in_postgres(prepare)
    warm_up = Plan(rate=sizes.changes_rate, seconds=_WARM_UP, seed=1, customers=1_000, meters=1_200)
    plan = Plan(rate=sizes.changes_rate, seconds=sizes.seconds, seed=7, customers=1_000, meters=1_200)
    with setting.pipeline("benchmeters", _SPEC) as running:
        running.await_running()
        asyncio.run(generate(address, warm_up, lambda _: None))
        _drained(running)
        running.count_cpu()
        began = time.time()
        made: Done = asyncio.run(generate(address, plan, lambda _: None))
        ended = time.time()
        arrived = _drained(running)
        cpu = per_million(running.cpu(), made.changes)
        same = _compare(setting)
    rates = {name: round(made.changes / (at - began)) for name, at in arrived.items()}
    against("changes in Postgres a second", f"{made.rate:,.0f}", f"{sizes.changes_rate:,}")
    for name, rate in rates.items():
        against(f"  to the last one in {name}, a second", f"{rate:,}", f"{sizes.changes_rate:,}")
    after = {name: round(at - ended, 1) for name, at in arrived.items()}
    against("the last one was there after it was made", in_words(after, "s"))
    against("CPU seconds for a million changes", in_words(cpu, "s"))
    against("Postgres, ClickHouse and the lake are the same", str(same), "all of them")
    return {
        "made_per_s": round(made.rate),
        "arrived_per_s": rates,
        "last_after_s": after,
        "cpu_s_per_million": cpu,
        "the_same": same,
    }


def _await_rows(running: Running, topics: Topics, wanted: int) -> tuple[float, float]:
    """Until so many are in the topic: when that was not so yet, and when it was, in seconds since 1970."""
    looked = [time.time()]

    def there() -> bool:
        looked.append(time.time())
        return offsets.between({}, topics.ends()) >= wanted

    running.wait(there, f"{wanted:,} rows are in Kafka", every=0.1)
    return looked[-2], time.time()


def _drained(running: Running) -> dict[str, float]:
    """Until Debezium brings nothing more and every hop has everything; when each had it, in seconds since 1970.

    What Debezium has yet to bring is known to nobody, so it is waited for. A hop tells once a second what it has.
    """
    last: dict[str, float] = {}
    before = -1

    def over() -> bool:
        nonlocal before
        hops, now = running.hops(), time.time()
        source = hops.pop(SOURCE, {"events": 0})["events"]
        behind = hops if source != before else {name: hop for name, hop in hops.items() if hop["lag"] != 0}
        last.update(dict.fromkeys(behind, now))
        before = source
        return bool(last) and now - max(last.values()) > _QUIET

    running.wait(over, "everything has arrived", every=0.2)
    return last


def _compare(setting: Setting) -> dict[str, bool]:
    with open_session(setting.access.spark) as spark:
        comparison = Comparison(setting.clickhouse, spark, "bench_meters", "bench_meters")
        found = [setting.in_postgres(lambda c, each=table: comparison.of(c, each)) for table in TABLES]
    return {one.table: one.equal for one in found}
