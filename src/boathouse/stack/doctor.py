"""A check-up of the machine: what a start needs, what was found, and what to do about it."""

import os
import platform
import resource
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import httpx
import psutil

from boathouse.kit.errors import BoathouseError
from boathouse.kit.settings import Settings
from boathouse.stack.artifacts import Artifact
from boathouse.stack.artifacts.mirror import without_password
from boathouse.stack.java import find_java
from boathouse.stack.lifecycle import Lakehouse
from boathouse.stack.plan import artifact_cache, artifacts_of
from boathouse.stack.ports import holder, is_free
from boathouse.stack.profiles import services_of

_GIGABYTE = 1_000_000_000
_DISK_WARN, _DISK_FAIL = 5 * _GIGABYTE, _GIGABYTE
# The idle stack takes about one gigabyte; queries need room beside it.
_MEMORY_WARN, _MEMORY_FAIL = 4 * _GIGABYTE, 1.5 * _GIGABYTE
_OPEN_FILES = 4096


class Verdict(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    name: str
    verdict: Verdict
    detail: str
    advice: str = ""

    def json(self) -> dict[str, Any]:
        return asdict(self)


def examine(settings: Settings) -> list[Finding]:
    missing = artifact_cache(settings).missing(artifacts_of(settings.stack.profile, settings))
    return [
        _python(),
        _java(settings),
        _writable("home", settings.home, "BOATHOUSE_HOME"),
        _writable("cache", settings.cache, "BOATHOUSE_CACHE"),
        _disk(settings.home),
        _memory(),
        _open_files(),
        *_ports(settings),
        _artifacts(settings, missing),
        *([_mirror(settings, missing[0])] if missing and not settings.artifacts.offline else []),
    ]


def _python() -> Finding:
    found = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.platform not in {"linux", "darwin"}:
        return Finding("system", Verdict.FAIL, found, "Use Linux or macOS; on Windows, WSL.")
    return Finding("system", Verdict.OK, found)


def _java(settings: Settings) -> Finding:
    try:
        java = find_java(settings.java.home, settings.cache)
    except BoathouseError as error:
        return Finding("Java", Verdict.FAIL, str(error), error.hint or "")
    except OSError as error:
        return Finding(
            "Java", Verdict.FAIL, f"none found, and the bundled one cannot be set up: {error}", "Install Java 17."
        )
    return Finding("Java", Verdict.OK, f"Java {java.version} at {java.home} ({java.origin})")


def _writable(name: str, path: Path, variable: str) -> Finding:
    nearest = _nearest(path)
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return Finding(name, Verdict.OK, str(path))
    return Finding(name, Verdict.FAIL, f"{path} may not be written", f"Set {variable} to a directory of your own.")


def _disk(path: Path) -> Finding:
    free = shutil.disk_usage(_nearest(path)).free
    found = f"{free / _GIGABYTE:.1f} GB free for {path}"
    if free < _DISK_WARN:
        verdict = Verdict.FAIL if free < _DISK_FAIL else Verdict.WARN
        return Finding("disk", verdict, found, "Free some space, or set BOATHOUSE_HOME to a larger disk.")
    return Finding("disk", Verdict.OK, found)


def _memory() -> Finding:
    available = psutil.virtual_memory().available
    found = f"{available / _GIGABYTE:.1f} GB available"
    if available < _MEMORY_WARN:
        verdict = Verdict.FAIL if available < _MEMORY_FAIL else Verdict.WARN
        return Finding("memory", verdict, found, "Close other programs, or set spark.memory lower, such as 1g.")
    return Finding("memory", Verdict.OK, found)


def _open_files() -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    found = f"{'unlimited' if soft == resource.RLIM_INFINITY else soft} open files"
    enough = resource.RLIM_INFINITY in {soft, hard} or hard >= _OPEN_FILES
    if not enough:
        return Finding("limits", Verdict.WARN, found, f"Raise it: `ulimit -n {_OPEN_FILES}`.")
    return Finding("limits", Verdict.OK, found)


def _ports(settings: Settings) -> Iterator[Finding]:
    if Lakehouse(settings).status() is not None:
        yield Finding("ports", Verdict.OK, "in use by this lakehouse, which is running")
        return
    wishes = [wish for kind in services_of(settings.stack.profile, settings) for wish in kind.port_wishes(settings)]
    taken = [(wish, wish.configured or wish.default) for wish in wishes if not is_free(wish.configured or wish.default)]
    for wish, port in taken:
        found = f"{port} ({wish.name}) is taken by {holder(port) or 'a program of another user'}"
        if wish.configured:
            yield Finding("ports", Verdict.FAIL, found, f"Stop it, or set {wish.setting} to another port.")
        else:
            yield Finding("ports", Verdict.WARN, f"{found}; another one will be chosen")
    if not taken:
        yield Finding("ports", Verdict.OK, "all free")


def _artifacts(settings: Settings, missing: list[Artifact]) -> Finding:
    if not missing:
        return Finding("artifacts", Verdict.OK, f"all in {settings.cache}")
    size = sum(artifact.size for artifact in missing) / 1e6
    found = f"{len(missing)} to fetch, {size:.0f} MB: {', '.join(artifact.file_name for artifact in missing)}"
    if settings.artifacts.offline:
        return Finding("artifacts", Verdict.FAIL, found, "Run `boathouse up` once with artifacts.offline = false.")
    return Finding("artifacts", Verdict.WARN, found, "`boathouse up` fetches them.")


def _mirror(settings: Settings, artifact: Artifact) -> Finding:
    root = settings.artifacts.mirror
    shown = without_password(root)
    advice = "Check the network and HTTPS_PROXY, or set artifacts.mirror."
    if root.startswith("file://"):
        there = Path(root.removeprefix("file://"), artifact.path).is_file()
        return Finding("mirror", Verdict.OK if there else Verdict.FAIL, shown, "" if there else advice)
    try:
        answer = httpx.head(f"{root}/{artifact.path}", follow_redirects=True, timeout=10)
    except httpx.HTTPError as error:
        return Finding("mirror", Verdict.FAIL, f"{shown} does not answer: {error}", advice)
    if not answer.is_success:
        return Finding("mirror", Verdict.FAIL, f"{shown} answers {answer.status_code} for {artifact.path}", advice)
    return Finding("mirror", Verdict.OK, shown)


def _nearest(path: Path) -> Path:
    """The path itself, or the nearest directory above it that is there."""
    return next(place for place in (path, *path.parents) if place.exists())
