"""Events that come at a rate, and events that wait: how many a second, how fresh, at what cost."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from benchmarks.stream.producer import COLUMNS, Events, Produced
from benchmarks.stream.setting import Running, Setting, Sizes, against, held, in_words, per_million, quantiles
from boathouse.engines.spark.connect import open_session
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.pipelines.stream.topics import Topics

Json = dict[str, Any]
_T = TypeVar("_T")
PIPELINE, TOPIC = "bench", "bench-readings"
LOG = TableName(("bench_log",), "readings")
PARTITIONS = 2
SPEC = f"""
pipeline: {PIPELINE}
source: {{kind: kafka, topics: [{TOPIC}], format: json}}
schema: {COLUMNS}
keys: id
bronze: {{table: {LOG}, every: 5s}}
speed:
  database: bench
  every: 500ms
  rollups:
    - {{name: kwh_by_day, by: {{day: toDate(read_at)}}, sums: {{kwh: "ifNull(kwh, 0)"}}}}
"""
_WARM_UP = 10
_POLL = 0.1


def events(setting: Setting, sizes: Sizes) -> Json:
    """Producer, Kafka, Spark, and from there ClickHouse and Iceberg at once."""
    Topics(setting.kafka, [TOPIC]).make(PARTITIONS)
    with setting.pipeline(PIPELINE, SPEC) as running:
        running.await_running()
        source = Events(setting.kafka, TOPIC)
        # What Spark compiles at first is not what it takes from then on.
        source.put(sizes.rate * _WARM_UP, sizes.rate)
        running.await_all()
        memory = {"start": running.memory()}
        alive = {"start": running.live_heap()}
        running.count_cpu()
        began = time.time()
        with seen_by_polling(setting, source) as seen, _lags(running) as lags, _memories(running) as held_by_minute:
            produced = source.put(sizes.rate * sizes.seconds, sizes.rate)
            behind = {"start": lags[0], "end": _lag(running)}
            arrived = running.await_all()
        cpu = running.cpu()
        memory["end"] = running.memory()
        alive["end"] = running.live_heap()
    held = {"memory_mb": memory, "pipeline_mb_by_minute": held_by_minute, "live_heap_mb": alive}
    return _report(
        setting, sizes, produced, arrived, began=began, seen=seen, behind=behind, lags=lags, held=held, cpu=cpu
    )


def _report(
    setting: Setting,
    sizes: Sizes,
    produced: Produced,
    arrived: dict[str, float],
    *,
    began: float,
    seen: list[float],
    behind: dict[str, Json],
    lags: list[Json],
    held: Json,
    cpu: dict[str, float],
) -> Json:
    written = _written(setting, produced.first)
    in_lake = _lake_freshness(setting, began)
    sustained = {name: round(produced.count / (at - began)) for name, at in arrived.items()}
    right = _counted(setting, produced)
    against("events produced a second", f"{produced.rate:,.0f}", f"{sizes.rate:,}")
    for name, rate in sustained.items():
        against(f"  to the last one in {name}, a second", f"{rate:,}", f"{sizes.rate:,}")
    against("fresh in ClickHouse, written minus in Kafka", in_words(written, "s"), "p95 under 2 s, p99 under 5 s")
    against("fresh in ClickHouse, by polling", in_words(quantiles(seen), "s"), "p95 under 2 s, p99 under 5 s")
    against("fresh in the lake's log, committed minus in Kafka", in_words(in_lake, "s"))
    for when, lag in behind.items():
        against(f"events behind at the {when} of production", in_words(lag, ""))
    for when, megabytes in held["memory_mb"].items():
        against(f"memory at the {when}", in_words(megabytes, "MB"))
    against("memory of the pipeline, minute by minute", f"{held['pipeline_mb_by_minute']} MB", "no growth")
    against("what of its heap is in use after a collection, start and end", f"{held['live_heap_mb']} MB", "no growth")
    against("CPU seconds for a million events", in_words(per_million(cpu, produced.count), "s"))
    against("rows in ClickHouse and in the lake", str(right), f"{produced.count:,} each")
    return {
        "produced_per_s": round(produced.rate),
        "sustained_per_s": sustained,
        "freshness_written_s": written,
        "freshness_polled_s": quantiles(seen),
        "freshness_lake_s": in_lake,
        "behind": behind,
        "lags": lags[:: max(1, len(lags) // 20)],
        **held,
        "cpu_s_per_million": per_million(cpu, produced.count),
        "rows": right,
    }


def catch_up(setting: Setting, sizes: Sizes) -> Json:
    """What came while the pipeline was away: begun anew, when Java has yet to compile everything, and held up for a while."""
    Topics(setting.kafka, [TOPIC]).make(PARTITIONS)
    with setting.pipeline(PIPELINE, SPEC) as running:
        running.await_running()
        running.await_all()
    source = Events(setting.kafka, TOPIC)
    produced = source.put(sizes.waiting, None)
    against("events put into Kafka a second", f"{produced.rate:,.0f}")
    with setting.pipeline(PIPELINE, SPEC) as running:
        running.await_running()
        cold = _caught_up(running, sizes, "after a start")
        with held(running.pid):
            source.put(sizes.waiting, None)
        warm = _caught_up(running, sizes, "after it was held up")
    return {"put_per_s": round(produced.rate), "after_a_start": cold, "after_it_was_held_up": warm}


def _caught_up(running: Running, sizes: Sizes, when: str) -> Json:
    began = time.time()
    running.count_cpu()
    arrived = running.await_all()
    cpu = per_million(running.cpu(), sizes.waiting)
    rates = {name: round(sizes.waiting / max(0.2, at - began)) for name, at in arrived.items()}
    for name, rate in rates.items():
        against(f"  {when}, by {name}, a second", f"{rate:,}", f"{4 * sizes.rate:,}")
    against("  CPU seconds for a million events", in_words(cpu, "s"))
    return {"caught_up_per_s": rates, "cpu_s_per_million": cpu}


@contextmanager
def seen_by_polling(setting: Setting, source: Events) -> Generator[list[float]]:
    """Every tenth of a second: how long ago the newest event that ClickHouse shows was produced."""
    found: list[float] = []
    ended = threading.Event()

    def look() -> None:
        newest = 0
        while not ended.wait(_POLL):
            # From the last one on: to look at all rows ten times a second would be another benchmark.
            newest = int(setting.clickhouse.ask(f"SELECT max(id) FROM bench.readings WHERE id >= {newest}")[0][0])
            put = source.last.at(newest)
            # After the last there is nothing newer to be seen.
            if put is not None and not source.last.count:
                found.append(time.time() - put)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join(10)


def _lags(running: Running) -> AbstractContextManager[list[Json]]:
    return _looked_up(lambda: _lag(running), every=5)


def _memories(running: Running) -> AbstractContextManager[list[int]]:
    """Of the pipeline, in megabytes."""
    return _looked_up(lambda: running.memory()["pipeline"], every=60)


@contextmanager
def _looked_up(look_up: Callable[[], _T], *, every: float) -> Generator[list[_T]]:
    """Beside what is measured, from now on."""
    found = [look_up()]
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(every):
            found.append(look_up())

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join(10)


def _lag(running: Running) -> Json:
    return {name: hop["lag"] for name, hop in running.hops().items() if hop["lag"] is not None}


def _written(setting: Setting, first: int) -> dict[str, float]:
    """Of every row of this part."""
    age = "(toUnixTimestamp64Milli(_written_at) - toUnixTimestamp64Milli(_kafka_at)) / 1000"
    statement = f"SELECT quantiles(0.5, 0.95, 0.99)({age}) FROM bench.readings WHERE id >= {first}"
    found = setting.clickhouse.ask(statement)[0][0]
    return {name: round(value, 3) for name, value in zip(("p50", "p95", "p99"), found, strict=True)}


def _lake_freshness(setting: Setting, began: float) -> dict[str, float]:
    """Of every row: the snapshot that brought it, minus when Kafka had it, to a tenth of a second."""
    table = CatalogClient(setting.access.catalog).load_table(LOG)
    commits = sorted(one["timestamp-ms"] / 1000 for one in table.metadata["snapshots"])
    question = f"""
        SELECT unix_millis(written_at) / 1000, floor(unix_millis(kafka_at) / 100) / 10, count(*)
        FROM {LOG} WHERE unix_millis(kafka_at) >= {int(began * 1000)} GROUP BY ALL
    """
    with open_session(setting.access.spark) as spark:
        rows = spark.sql(question).collect()
    ages: list[float] = []
    for written, in_kafka, count in rows:
        committed = next((at for at in commits if at >= float(written)), float(written))
        # One of a hundred stands for all: there may be millions.
        ages += [committed - float(in_kafka)] * max(1, count // 100)
    return quantiles(ages)


def _counted(setting: Setting, produced: Produced) -> Json:
    until = produced.first + produced.count
    where = f"id >= {produced.first} AND id < {until}"
    fast = setting.clickhouse.ask(f"SELECT count() FROM bench.readings FINAL WHERE {where}")[0][0]
    with open_session(setting.access.spark) as spark:
        slow = spark.sql(f"SELECT count(*) FROM {LOG} WHERE {where}").collect()[0][0]
    return {"clickhouse": fast, "lake": slow}
