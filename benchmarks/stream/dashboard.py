"""A dashboard's question over millions of rows in ClickHouse, while events come."""

import threading
import time
from typing import Any

from benchmarks.stream.events import PARTITIONS, PIPELINE, SPEC, TOPIC
from benchmarks.stream.producer import Events
from benchmarks.stream.setting import Setting, Sizes, against, in_words, quantiles
from boathouse.pipelines.stream.topics import Topics

Json = dict[str, Any]
# Beside the ids of events, and older than any of them.
_FILL = """
INSERT INTO bench.readings (id, meter_id, read_at, kwh, corrected, _lsn, _deleted, _kafka_at)
SELECT -1 - number, number % 1000 + 1, toDateTime64('2025-01-01 00:00:00', 6, 'UTC') + intDiv(number, 1000) * 900,
       (number % 5000) / 1000, false, 1, 0, now64(3)
FROM numbers({rows})
"""
QUESTIONS = {
    "kWh of a meter by day, FINAL": (
        "SELECT toDate(read_at) AS day, sum(kwh) FROM bench.readings FINAL WHERE meter_id = {meter} GROUP BY day ORDER BY day"
    ),
    "kWh by month, all rows, FINAL": (
        "SELECT toStartOfMonth(read_at) AS month, sum(kwh), count() FROM bench.readings FINAL GROUP BY month ORDER BY month"
    ),
    "kWh by day from the rollup": "SELECT day, sum(kwh), sum(rows) FROM bench.kwh_by_day GROUP BY day ORDER BY day",
}


def dashboard(setting: Setting, sizes: Sizes) -> Json:
    Topics(setting.kafka, [TOPIC]).make(PARTITIONS)
    source = Events(setting.kafka, TOPIC)
    with setting.pipeline(PIPELINE, SPEC) as running:
        running.await_running()
        # The first event makes the table.
        source.put(1_000, None)
        running.await_all()
        setting.clickhouse.ask(_FILL.format(rows=sizes.rows))
        ingest = threading.Thread(target=source.put, args=(sizes.rate * sizes.seconds, sizes.rate), daemon=True)
        ingest.start()
        times: dict[str, list[float]] = {name: [] for name in QUESTIONS}
        number = 0
        while ingest.is_alive():
            for name, question in QUESTIONS.items():
                began = time.perf_counter()
                setting.clickhouse.ask(question.format(meter=number % 1000 + 1))
                times[name].append(time.perf_counter() - began)
            number += 1
            time.sleep(0.2)
        ingest.join()
        running.await_all()
    rows = setting.clickhouse.ask("SELECT count() FROM bench.readings FINAL")[0][0]
    against("rows in the table", f"{rows:,}", f"{sizes.rows:,}")
    figures = {name: quantiles(taken) for name, taken in times.items()}
    for name, figure in figures.items():
        against(f"  {name}", in_words(figure, "s"), "under 0.2 s")
    return {"rows": rows, "asked": number, "seconds": figures}
