"""Iceberg's REST Compatibility Kit: fetched by its lock, run against a catalog, and read back as names and messages."""

import fcntl
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from boathouse.kit.settings import load_settings
from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.java import find_java
from boathouse.stack.plan import artifact_cache

SUITE = "org.apache.iceberg.rest.RESTCompatibilityKitSuite"
# The kit asks for tables at file:/tmp/<namespace>/<table> and cannot be told otherwise.
WAREHOUSE = Path("/tmp")
_NAMESPACES = ("a", "newdb", "ns", "ns_1", "ns_2", "ns1", "ns2", "other_ns")
_TIMEOUT_SECONDS = 420
_LOCK = Path(__file__).parent / "kit.lock.toml"


@dataclass(frozen=True)
class Verdict:
    """One test of the kit: `message` says why it failed."""

    group: str
    name: str
    outcome: str
    message: str = ""

    def __str__(self) -> str:
        return f"{self.group}.{self.name}: {self.message}"


@contextmanager
def warehouse_of_the_kit() -> Generator[Path]:
    """The one place the kit can use, for one run at a time; what a run leaves there is removed."""
    with (WAREHOUSE / ".rest-compatibility-kit.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ours = [place for name in _NAMESPACES if not (place := WAREHOUSE / name).exists()]
        try:
            yield WAREHOUSE
        finally:
            for place in ours:
                shutil.rmtree(place, ignore_errors=True)


def run_kit(properties: Mapping[str, str], reports: Path) -> list[Verdict]:
    """Every test of the kit against the catalog that the client's `properties` name. The catalog must be empty."""
    settings = load_settings()
    jars = Fetcher(artifact_cache(settings), settings.artifacts).fetch(read_lock(_LOCK.read_text())["kit"])
    java = find_java(settings.java.home, settings.cache).home / "bin" / "java"
    command = [str(java), *_options(properties), "-cp", ":".join(map(str, jars)), *_launcher(reports)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    verdicts = _read(reports / "TEST-junit-platform-suite.xml") if ran.returncode in {0, 1} else []
    assert verdicts, f"the kit ran no test:\n{ran.stdout[-4000:]}\n{ran.stderr[-4000:]}"
    return verdicts


def _options(properties: Mapping[str, str]) -> list[str]:
    """The kit takes its own settings under a prefix, and the client's from wherever they are: each is given twice."""
    abilities = ("requires-namespace-create", "supports-serverside-retry", "supports-names-with-dot")
    own = {"rck.local": "false"} | {f"rck.{ability}": "true" for ability in abilities}
    twice = {f"rck.{name}": value for name, value in properties.items()} | dict(properties)
    return ["-Xmx512m", *(f"-D{name}={value}" for name, value in (own | twice).items())]


def _launcher(reports: Path) -> Sequence[str]:
    program = "org.junit.platform.console.ConsoleLauncher"
    return [program, "execute", "--select-class", SUITE, "--reports-dir", str(reports), "--details=none"]


def _read(report: Path) -> list[Verdict]:
    return [_verdict(case) for case in ET.parse(report).getroot().iter("testcase")]


def _verdict(case: ET.Element) -> Verdict:
    group = (case.get("classname") or "").rpartition(".")[2]
    name = (case.get("name") or "").partition("(")[0]
    for outcome in ("failure", "error", "skipped"):
        if (found := case.find(outcome)) is not None:
            said = (found.get("message") or found.text or "").strip()
            return Verdict(group, name, "skipped" if outcome == "skipped" else "failed", said[:600])
    return Verdict(group, name, "passed")
