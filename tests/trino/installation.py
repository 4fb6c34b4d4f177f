"""Trino unpacked: fetched by its lock, once for all tests of this user."""

import fcntl
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from boathouse.kit.settings import load_settings
from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.plan import artifact_cache
from tests.identity_provider.provider import find_uv

_HERE = Path(__file__).parent


def installation() -> Path:
    """The directory with `lib` and `plugin`."""
    settings = load_settings()
    lock = read_lock((_HERE / "trino.lock.toml").read_text())
    fetcher = Fetcher(artifact_cache(settings), settings.artifacts)
    # Named by what it is made of, so that another lock is another directory.
    place = settings.cache / "trino" / "-".join(one.sha256[:8] for group in lock.values() for one in group)
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_suffix(".lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not place.exists():
            _unpack(fetcher.fetch(lock["server"])[0], fetcher.fetch(lock["plugins"]), place)
    return place


def java() -> Path:
    """Of the version that Trino needs."""
    command = [find_uv(), "run", "--quiet", "--no-project", "--script", str(_HERE / "java_home.py")]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(told.stdout) / "bin" / "java"


def _unpack(server: Path, plugins: list[Path], place: Path) -> None:
    unfinished = place.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    with tarfile.open(server) as archive:
        archive.extractall(unfinished, filter="data")
    (root,) = unfinished.iterdir()
    for plugin in plugins:
        with zipfile.ZipFile(plugin) as archive:
            archive.extractall(root / "plugin")
    root.rename(place)
    unfinished.rmdir()
