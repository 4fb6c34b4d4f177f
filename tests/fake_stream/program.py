"""Stands in for the program of a streaming pipeline: writes down how it fares, and ends well when it is told to.

It is wanted where `python -m boathouse.cli.main pipeline run SPEC --status FILE` is started with this directory on `PYTHONPATH`.
What it should do beyond is in the spec's description, as JSON.
"""

import json
import os
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

HERE = Path(__file__).parent
COMMAND = (sys.executable, "-u", __file__)
_HOPS = {
    "source": "Postgres to Kafka",
    "bronze": "Kafka to bronze",
    "silver": "Bronze to silver",
    "speed": "Kafka to ClickHouse",
}


class Program:
    def __init__(self, spec: dict[str, Any], status: Path) -> None:
        self._spec = spec
        self._status = status
        self._wishes: dict[str, Any] = json.loads(spec.get("description") or "{}")
        self._since = _now()
        self._events = 0
        self._told_to_stop = False

    def run(self, *, once: bool) -> int:
        signal.signal(signal.SIGTERM, self._stop)
        _say(f"{self._spec['pipeline']} begins as process {os.getpid()}")
        self._write("starting")
        if "fails" in self._wishes:
            self._write("failed")
            sys.stderr.write(self._wishes["fails"] + "\n")
            return 1
        while not self._told_to_stop:
            self._events += 512
            self._write("running")
            if once:
                break
            time.sleep(self._wishes.get("every", 0.5))
        self._write("stopping")
        time.sleep(self._wishes.get("last_batch", 0))
        _say("The last batch is written")
        self._write("ended")
        return 0

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._told_to_stop = True

    def _write(self, state: str) -> None:
        aims = {"events_per_second": None, "freshness": None, "lag": None, **self._spec.get("aims", {})}
        told = {
            "pipeline": self._spec["pipeline"],
            "state": state,
            "since": self._since,
            "at": _now(),
            "aims": aims,
            "hops": [self._hop(name, title) for name, title in _HOPS.items() if name == "source" or name in self._spec],
            "rejected": self._wishes.get("rejected", 0),
            "alerts": self._alerts(),
            "of_a_later_version": True,
        }
        beside = self._status.with_suffix(".new")
        beside.write_text(json.dumps(told))
        beside.replace(self._status)

    def _hop(self, name: str, title: str) -> dict[str, Any]:
        to = {
            "source": f"{self._spec['pipeline']}.public",
            "bronze": self._spec["bronze"]["table"],
            "silver": self._spec.get("silver", {}).get("namespace"),
            "speed": self._spec.get("speed", {}).get("database"),
        }
        behind = self._wishes.get("lag", 12) if self._alerts() else 12
        batches = None if name == "source" else self._events // 512
        return {
            "name": name,
            "title": title,
            "to": to[name],
            "state": "running",
            "events": self._events,
            "rate": 1024.0 - self._events % 300,
            "lag": behind,
            "freshness": 0.8,
            "batch": batches,
            "batch_seconds": batches and 0.41,
            "last_at": _now(),
            "error": None,
        }

    def _alerts(self) -> list[dict[str, Any]]:
        begins, ends = self._wishes.get("alert", (None, None))
        if begins is None or not begins <= self._events // 512 < ends:
            return []
        lag, most = self._wishes.get("lag", 12), self._spec["aims"]["lag"]
        text = f"Kafka to ClickHouse is {lag:,} events behind, and {most:,} are allowed."
        return [{"hop": "speed", "what": "lag", "value": lag, "limit": most, "since": self._since, "text": text}]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def main(words: list[str]) -> int:
    import yaml

    spec = yaml.safe_load(Path(words[words.index("run") + 1]).read_text())
    return Program(spec, Path(words[words.index("--status") + 1])).run(once="--once" in words)


def replay(words: list[str]) -> int:
    """As if all were well now."""
    figures = ("rows_in", "rows_written", "rows_quarantined", "rows_dropped", "rows_superseded", "rows_outdated")
    report = {"kind": "replay", **dict.fromkeys(figures, 0), "rows_in": 1, "rows_written": 1, "rules": []}
    Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
    return 0


if __name__ == "__main__":
    os._exit(main(sys.argv))
