"""Services small enough to start by the dozen, and a supervisor of them: run as a program, it serves those in TINY."""

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from boathouse.kit.access import CatalogAccess, LakeAccess, ObjectStoreAccess, SparkAccess
from boathouse.kit.settings import Settings, load_settings
from boathouse.stack.daemon import serve
from boathouse.stack.home import Home
from boathouse.stack.keeper import RestartPolicy
from boathouse.stack.service import Broken, Impaired, NotReady, Service, Site

# Quick enough for tests, yet with pauses that can be told apart.
POLICY = RestartPolicy(
    first_pause=0.05, longest_pause=0.4, give_up_after=4, steady_after=600, check_every=0.05, poll=0.01, replace_after=5
)
SECRET = SecretStr("a pretend secret")

# Says what happens to it in a file that the test reads, and lives until it is told to stop.
RUNS = """
trap 'echo "stop $NAME" >> "$EVENTS"; exit 0' TERM
echo "start $NAME" >> "$EVENTS"; echo > "$READY"
while :; do sleep 0.02; done
"""
STUBBORN = """
trap '' TERM
sh -c 'trap "" TERM; while :; do sleep 0.1; done' &
echo "start $NAME" >> "$EVENTS"; echo > "$READY"
while :; do sleep 0.02; done
"""
FAILS = f"""
[ -e "$CURE" ] || {{ echo "start $NAME" >> "$EVENTS"; echo "the disk is on fire"; exit 3; }}
{RUNS}
"""
SLOW = RUNS.replace("trap '", "trap 'sleep 1.5; ")
ELSEWISE = f"trap '' TERM; {RUNS.replace(' TERM', ' USR1')}"
SCRIPTS = {"runs": RUNS, "stubborn": STUBBORN, "fails": FAILS, "slow": SLOW, "elsewise": ELSEWISE}


@dataclass(frozen=True)
class Tiny:
    """What a tiny service is to be like."""

    name: str
    does: str = "runs"
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    slow_stop: float = 0
    stop_signal: int = signal.SIGTERM


class TinyService(Service):
    def __init__(self, site: Site, tiny: Tiny) -> None:
        super().__init__(site)
        self.tiny = tiny
        # A service's class says these; here each object is a service of its own.
        self.name = tiny.name  # pyright: ignore[reportAttributeAccessIssue]
        self.needs = tiny.needs  # pyright: ignore[reportAttributeAccessIssue]
        self.uses = tiny.uses  # pyright: ignore[reportAttributeAccessIssue]
        self.slow_stop = tiny.slow_stop  # pyright: ignore[reportAttributeAccessIssue]
        self.stop_signal = signal.Signals(tiny.stop_signal)  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def sick(self) -> Path:
        """While this file is there the service is not well."""
        return self.site.home.path / f"{self.tiny.name}.sick"

    @property
    def impaired(self) -> Path:
        """While this file is there the service does a part of its work only."""
        return self.site.home.path / f"{self.tiny.name}.impaired"

    @property
    def broken(self) -> Path:
        """While this file is there the service can never be well."""
        return self.site.home.path / f"{self.tiny.name}.broken"

    @property
    def ready(self) -> Path:
        """The service makes this file once it has begun."""
        return self.site.home.path / f"{self.tiny.name}.ready"

    def prepare(self) -> None:
        self.ready.unlink(missing_ok=True)

    def address(self) -> str:
        return f"tiny://{self.tiny.name}"

    def command(self) -> list[str]:
        return ["/bin/sh", "-c", SCRIPTS[self.tiny.does]]

    def environment(self) -> dict[str, str]:
        home = self.site.home.path
        files = {"EVENTS": home / "events", "CURE": home / "cured", "READY": self.ready}
        return {"NAME": self.tiny.name} | {name: str(path) for name, path in files.items()}

    def check(self) -> None:
        if self.sick.exists():
            raise NotReady("it has a cold")
        if self.broken.exists():
            raise Broken("a package is missing")
        if self.impaired.exists():
            raise Impaired("the disk is full")
        if not self.ready.exists():
            raise NotReady("it has not begun")


def events(home: Home) -> list[str]:
    """What the services said happened to them, in order."""
    try:
        return (home.path / "events").read_text().splitlines()
    except FileNotFoundError:
        return []


def site(settings: Settings) -> Site:
    lake = LakeAccess(
        object_store=ObjectStoreAccess(
            endpoint="http://127.0.0.1:1", region="r", bucket="b", access_key=SECRET, secret_key=SECRET
        ),
        catalog=CatalogAccess(uri="http://127.0.0.1:1", warehouse="w", token=SECRET),
        spark=SparkAccess(remote="sc://localhost:1", token=SECRET, catalog="w"),
    )
    return Site(settings, Home(settings.home), {}, lake, {})


def services(settings: Settings, *tiny: Tiny) -> list[TinyService]:
    return [TinyService(site(settings), each) for each in tiny]


def _planned(settings: Settings, _profile: str) -> list[TinyService]:
    given: list[dict[str, Any]] = json.loads(os.environ["TINY"])
    return services(settings, *(Tiny(**each) for each in given))


if __name__ == "__main__":
    sys.exit(serve(load_settings(), sys.argv[1], planner=_planned, policy=POLICY))
