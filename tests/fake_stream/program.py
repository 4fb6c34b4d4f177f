"""Stands in for the program of a streaming pipeline: writes down how it fares, and ends well when it is told to.

What it writes down is made by the code by which the real one does it; only the figures are invented.
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

from boathouse.pipelines.stream import status
from boathouse.pipelines.stream.meter import Reading, hop_json
from boathouse.pipelines.stream.spec import Aims

HERE = Path(__file__).parent
COMMAND = (sys.executable, "-u", __file__)
_BEHIND = 12


class Program:
    def __init__(self, spec: dict[str, Any], file: Path) -> None:
        self._spec = spec
        self._file = file
        self._wishes: dict[str, Any] = json.loads(spec.get("description") or "{}")
        self._since = status.now()
        self._aims = Aims.model_validate(spec.get("aims", {}))
        self._alerts = status.Alerts(self._aims)
        self._events = 0
        self._told_to_stop = False

    def run(self, *, once: bool) -> int:
        signal.signal(signal.SIGTERM, self._stop)
        _say(f"{self._spec['pipeline']} begins as process {os.getpid()}")
        self._write("starting")
        if "fails" in self._wishes:
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
        # Before it has made ready what it follows, there are no hops but the one that others carry out.
        names = [
            name for name in status.TITLES if name == status.SOURCE or (name in self._spec and state != "starting")
        ]
        hops, at = [self._hop(name, state) for name in names], status.now()
        told = status.document(
            self._spec["pipeline"],
            state,
            since=self._since,
            at=at,
            aims=self._aims,
            hops=hops,
            rejected=self._wishes.get("rejected", 0),
            alerts=self._alerts.of(hops, at) if state == "running" else [],
        )
        beside = self._file.with_suffix(".new")
        beside.write_text(json.dumps({**told, "of_a_later_version": True}))
        beside.replace(self._file)

    def _hop(self, name: str, state: str) -> dict[str, Any]:
        is_source = name == status.SOURCE
        to = {
            "source": self._spec["pipeline"],
            "bronze": self._spec["bronze"]["table"],
            "silver": self._spec.get("silver", {}).get("namespace"),
            "speed": self._spec.get("speed", {}).get("database"),
        }
        lag = None if is_source else self._behind(name)
        reading = Reading(
            events=self._events,
            rejected=0,
            rate=4096.0 - self._events % 300,
            batch=None if is_source else self._events // 512,
            batch_seconds=None if is_source else 0.41,
            last_at=datetime.now(UTC),
            freshness=None if is_source else 0.8,
            error=None,
        )
        of_hop = "running" if is_source else status.hop_state(state, "running")
        return hop_json(reading, lag, name=name, title=status.TITLES[name], to=to[name], state=of_hop)

    def _behind(self, name: str) -> int:
        """As many as it was wished to be behind, in those batches."""
        begins, ends = self._wishes.get("alert", (None, None))
        late = name == "speed" and begins is not None and begins <= self._events // 512 < ends
        return self._wishes["lag"] if late else _BEHIND


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


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
