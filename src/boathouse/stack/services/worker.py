"""The control plane's worker: it carries out the runs of this lakehouse."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path

from boathouse.kit.files import private_directory
from boathouse.kit.settings import Settings, variable
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import NotReady, Service
from boathouse.stack.services.control import Control, database, keys

# It shows itself several times a second, and stands still while the machine sleeps or swaps.
_SILENCE = 30.0
_METRICS = "worker.metrics"
# What is stopped with the lakehouse goes on when that is up again.
_DRAIN_SECONDS = 2


class Worker(Service):
    name = "worker"
    # Its database is the API's, which brings that up to date.
    needs = (Control.name,)
    # Its runs do, to their end: a stream that stops finishes its batch, and would tell everybody that it fails.
    uses = ("spark", "catalog", "object-store", "connect", "kafka", "postgres", "clickhouse")
    # It drains, a stream is given 35 seconds for its batch and what carries it out 5 more, and the run is handed back.
    slow_stop = _DRAIN_SECONDS + 35 + 5 + 8

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        del settings
        yield PortWish(_METRICS, 8095)

    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.site.ports[_METRICS]}/metrics"

    def prepare(self) -> None:
        private_directory(self._sign.parent)
        self._sign.unlink(missing_ok=True)

    def command(self) -> list[str]:
        return [
            *(sys.executable, "-m", "boathouse.cli.main", "worker"),
            *("--database", database(self.site.home)),
            *("--keys", str(keys(self.site.home))),
            *("--public-url", f"http://{LOOPBACK}:{self.site.ports[Control.name]}"),
            *("--metrics-port", str(self.site.ports[_METRICS])),
            *("--sign-of-life", str(self._sign)),
            *("--drain-seconds", str(_DRAIN_SECONDS)),
        ]

    def environment(self) -> dict[str, str]:
        # The runs' processes look there for the lake.
        home = {"BOATHOUSE_HOME": str(self.site.settings.home)}
        # It works in no directory, so that it would find no file of settings.
        kept = self.site.settings.control.model_dump(exclude={"port"})
        return {**home, **{variable(f"control.{name}"): str(days) for name, days in kept.items()}}

    def check(self) -> None:
        try:
            silent = time.time() - self._sign.stat().st_mtime
        except FileNotFoundError:
            raise NotReady("no sign of life yet") from None
        if silent > _SILENCE:
            raise NotReady(f"silent for {silent:.0f} s: it cannot reach its database, or hangs")

    @property
    def _sign(self) -> Path:
        return self.site.home.data(self.name) / "sign-of-life"
