"""A stream under load: events into ClickHouse and the lake at once, catching up, through Debezium, and a dashboard beside it.

`python -m benchmarks stream --seconds 20 --rate 2000 --parts events` is a short trial; `--help` lists what can be less.
"""

import argparse
import sys
from dataclasses import dataclass, fields
from typing import Any

from benchmarks.lakehouse import bench_lakehouse, finish
from benchmarks.stream.changes import changes, snapshot
from benchmarks.stream.dashboard import dashboard
from benchmarks.stream.events import catch_up, events
from benchmarks.stream.peer import peer
from benchmarks.stream.setting import Setting

Json = dict[str, Any]
PARTS = {
    "events": events,
    "catch-up": catch_up,
    "dashboard": dashboard,
    "snapshot": snapshot,
    "changes": changes,
    "peer": peer,
}


@dataclass(frozen=True)
class Sizes:
    """What each option is if nobody says otherwise."""

    seconds: int = 300
    rate: int = 20_000
    waiting: int = 4_000_000
    rows: int = 10_000_000
    snapshot_rows: int = 1_000_000
    changes_rate: int = 10_000


_MEANING = {
    "seconds": "how long events and changes come",
    "rate": "events a second, straight into Kafka",
    "waiting": "events that wait when the pipeline begins to catch up",
    "rows": "rows in ClickHouse that the dashboard asks for",
    "snapshot_rows": "rows in Postgres before Debezium comes",
    "changes_rate": "changes a second in Postgres",
}


def main() -> None:
    sizes, parts = _options(sys.argv[2:])
    figures: Json = {"sizes": vars(sizes)}
    with bench_lakehouse() as lakehouse:
        lakehouse.cli("up", "--profile", "stream")
        setting = Setting.of(lakehouse)
        for name in parts:
            print(f"\n{name}", flush=True)
            figures[name] = PARTS[name](setting, sizes)
    finish("stream", figures)


def _options(arguments: list[str]) -> tuple[Sizes, list[str]]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks stream")
    for size in fields(Sizes):
        name = f"--{size.name.replace('_', '-')}"
        parser.add_argument(name, type=int, default=size.default, help=f"{_MEANING[size.name]} (%(default)s)")
    parser.add_argument("--parts", default=",".join(PARTS), help="which, with commas between (%(default)s)")
    given = parser.parse_args(arguments)
    parts = given.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}: there are {', '.join(PARTS)}")
    return Sizes(**{size.name: getattr(given, size.name) for size in fields(Sizes)}), parts
