"""Where the benchmark takes place: a lakehouse with the profile stream, and a pipeline's process with all that is told of it."""

import asyncio
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import psutil

from benchmarks.lakehouse import BenchLakehouse
from benchmarks.stream.process import Pipeline
from boathouse.cli.meters.clickhouse import ClickHouse
from boathouse.cli.meters.database import connect
from boathouse.kit.access import KafkaAccess, LakeAccess, of_stream
from boathouse.pipelines.stream.status import SOURCE
from boathouse.stack.home import Home
from boathouse.stack.status import StackStatus

Json = dict[str, Any]
# What a cold Spark and a few million events take on two cores.
PATIENCE = 1_800.0
# Of the young and the old generation, as the parallel collector's are called.
_IN_USE = re.compile(r"(?:PSYoungGen|ParOldGen)\s+total \d+K, used (\d+)K")


class Sizes(Protocol):
    """How much of everything."""

    @property
    def seconds(self) -> int: ...
    @property
    def rate(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def snapshot_rows(self) -> int: ...
    @property
    def changes_rate(self) -> int: ...


@dataclass(frozen=True)
class Setting:
    home: Path
    access: LakeAccess
    clickhouse: ClickHouse

    @classmethod
    def of(cls, lakehouse: BenchLakehouse) -> "Setting":
        # The pipeline's process is told by these where its lakehouse is, as a user's would be.
        for name in [name for name in os.environ if name.startswith("BOATHOUSE_")]:
            del os.environ[name]
        os.environ["BOATHOUSE_HOME"] = str(lakehouse.home)
        access = LakeAccess.load(lakehouse.home)
        return cls(lakehouse.home, access, ClickHouse(of_stream(access.clickhouse, "ClickHouse")))

    @property
    def kafka(self) -> KafkaAccess:
        return of_stream(self.access.kafka, "Kafka")

    def in_postgres(self, work: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        async def run() -> Any:
            connection = await connect(of_stream(self.access.postgres, "Postgres"))
            try:
                return await work(connection)
            finally:
                await connection.close(timeout=10)

        return asyncio.run(run())

    @contextmanager
    def pipeline(self, name: str, spec: str) -> "Generator[Running]":
        """At work, and stopped at the end."""
        folder = self.home / "bench" / name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "pipeline.yaml"
        path.write_text(spec, encoding="utf-8")
        running = Running(self, Pipeline.start(path))
        try:
            yield running
        finally:
            running.pipeline.stop()

    def services(self) -> dict[str, int]:
        """Process ids of the services that a stream goes through."""
        status = StackStatus.load(Home(self.home))
        told = {service.name: service.pid for service in status.services if service.pid} if status else {}
        return {name: told[name] for name in ("kafka", "connect", "postgres", "clickhouse", "object-store", "catalog")}


@dataclass
class Running:
    setting: Setting
    pipeline: Pipeline
    _cpu: dict[str, float] = field(default_factory=dict[str, float])

    def status(self) -> Json:
        return self.pipeline.status() or {"state": "starting", "hops": []}

    def hops(self) -> dict[str, Json]:
        return {hop["name"]: hop for hop in self.status()["hops"]}

    def await_running(self) -> None:
        self.wait(lambda: self.status()["state"] == "running", "it runs")

    @property
    def pid(self) -> int:
        return self.pipeline.work.process.pid

    def await_all(self) -> dict[str, float]:
        """Until every hop has everything that there is by now; when each had it first, in seconds since 1970."""
        done: dict[str, float] = {}
        # What is said once a second may have been looked up before what is waited for was there.
        since = time.time() + 1

        def over() -> bool:
            status = self.status()
            if "at" not in status or datetime.fromisoformat(status["at"]).timestamp() < since:
                return False
            hops = {hop["name"]: hop for hop in status["hops"] if hop["name"] != SOURCE}
            for name, hop in hops.items():
                if hop["lag"] == 0:
                    done.setdefault(name, time.time())
                else:
                    done.pop(name, None)
            return bool(hops) and len(done) == len(hops)

        self.wait(over, "everything has arrived", every=0.2)
        return done

    def wait(self, condition: Callable[[], bool], what: str, *, every: float = 0.5) -> None:
        until = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > until:
                raise TimeoutError(f"After {PATIENCE:.0f} s it is still not so that {what}: {self.status()}")
            time.sleep(every)

    def memory(self) -> dict[str, int]:
        """Megabytes that each holds, with its children."""
        return {name: sum(_resident(one) for one in processes) // 2**20 for name, processes in self._trees().items()}

    def live_heap(self) -> int | None:
        """Megabytes that are still in use in the pipeline's Java after a collection; None where no JDK can tell."""
        java = next((one for one in tree(self.pid) if one.name() == "java"), None)
        if java is None or (jcmd := shutil.which("jcmd")) is None:
            return None
        subprocess.run([jcmd, str(java.pid), "GC.run"], capture_output=True, check=True)
        told = subprocess.run([jcmd, str(java.pid), "GC.heap_info"], capture_output=True, text=True, check=True).stdout
        return sum(map(int, _IN_USE.findall(told))) // 1024

    def count_cpu(self) -> None:
        """From now on."""
        self._cpu = self._cpu_now()

    def cpu(self) -> dict[str, float]:
        """Seconds since then, of each."""
        return {name: seconds - self._cpu.get(name, 0.0) for name, seconds in self._cpu_now().items()}

    def _cpu_now(self) -> dict[str, float]:
        return {name: sum(_seconds(one) for one in processes) for name, processes in self._trees().items()}

    def _trees(self) -> dict[str, list[psutil.Process]]:
        roots = {"pipeline": self.pid, **self.setting.services()}
        return {name: tree(pid) for name, pid in roots.items()}


@contextmanager
def held(pid: int) -> Generator[None]:
    """The process does nothing meanwhile, with its children, and then goes on where it was."""
    processes = tree(pid)
    for one in processes:
        one.suspend()
    try:
        yield
    finally:
        for one in processes:
            one.resume()


def per_million(cpu: Mapping[str, float], events: int) -> dict[str, float]:
    """CPU seconds of each process for a million events."""
    return {name: round(seconds * 1e6 / max(events, 1), 1) for name, seconds in cpu.items()}


def quantiles(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    places = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    if not ordered:
        return dict.fromkeys(places, float("nan"))
    return {name: round(ordered[min(len(ordered) - 1, int(len(ordered) * at))], 3) for name, at in places.items()}


def against(what: str, actual: str, aim: str = "") -> None:
    print(f"{what:<58} {actual:>24}  {f'(aim: {aim})' if aim else ''}", flush=True)


def in_words(figures: Mapping[str, float], unit: str) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in figures.items()) + f" {unit}"


def tree(pid: int) -> list[psutil.Process]:
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _resident(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0


def _seconds(process: psutil.Process) -> float:
    try:
        used = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return used.user + used.system
