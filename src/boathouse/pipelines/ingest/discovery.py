"""Which files a spec names, on disk or in S3."""

import fnmatch
import glob
import os
import re
import stat
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.errors import Forbidden, InvalidInput, NotFound
from boathouse.kit.objects import Store, open_store, storage_errors
from boathouse.pipelines.spec import Format

GLOB = re.compile(r"[*?\[]")
# Spark passes over files with such names without a word, so we never hand it one.
HIDDEN = ("_", ".")
COMPRESSED = (".gz", ".gzip", ".bz2", ".xz", ".zst", ".zstd", ".lz4", ".snappy", ".deflate", ".br", ".zip", ".7z")
# Formats that are read line by line; Parquet compresses inside, and a binary file is taken as it is.
LINES = frozenset({Format.CSV, Format.JSON, Format.TEXT})


@dataclass(frozen=True)
class SourceFile:
    """A file as it was when it was found."""

    url: str
    """`file:///…` or `s3://…`, not percent-encoded: what reports and the loads table show."""
    size: int
    version: str
    """Changes when the file does: the ETag in S3, the time of change on disk."""
    modified: datetime

    @property
    def is_local(self) -> bool:
        return self.url.startswith("file://")

    @property
    def path(self) -> Path:
        return Path(self.url.removeprefix("file://"))

    @property
    def for_spark(self) -> str:
        """The name Spark opens, with the characters it would take for a pattern escaped."""
        name = self.url if self.is_local else "s3a" + self.url.removeprefix("s3")
        return re.sub(r"([\\*?\[\]{}])", r"\\\1", name)


def discover(patterns: list[str], base: Path, access: ObjectStoreAccess) -> list[SourceFile]:
    """Every file the patterns name, once each, in the order of their names."""
    found: dict[str, SourceFile] = {}
    for pattern in patterns:
        files = list(_in_s3(pattern, access) if pattern.startswith(("s3://", "s3a://")) else _on_disk(pattern, base))
        if not files:
            raise NotFound(f"No file matches {pattern!r}{_where(pattern, base)}.", hint="Check the path in the spec.")
        found |= {file.url: file for file in files}
    return [found[url] for url in sorted(found)]


def refuse_compressed(files: Iterable[SourceFile], kind: Format) -> None:
    """Spark would unpack some of them by their names, but not in pieces, and no line could be counted."""
    for file in files if kind in LINES else ():
        if file.url.lower().endswith(COMPRESSED):
            raise InvalidInput(
                f"{file.url} is compressed, and compressed {kind} files are not read.",
                hint="Unpack it first, for example with `gunzip --keep`, and name the unpacked file.",
            )


def current_version(file: SourceFile, access: ObjectStoreAccess) -> str | None:
    """The file's version now, or None if it is gone."""
    if file.is_local:
        try:
            return _local_version(file.path.stat())
        except FileNotFoundError:
            return None
    store, key = s3_object(file.url, access)
    try:
        with storage_errors(file.url):
            return obstore.head(store, key)["e_tag"] or ""
    except NotFound:
        return None


def s3_object(url: str, access: ObjectStoreAccess) -> tuple[Store, str]:
    parts = urlsplit(url, allow_fragments=False)
    return _bucket(parts.netloc, access), url.split("/", 3)[3]


def _on_disk(pattern: str, base: Path) -> Iterator[SourceFile]:
    # A name may begin with `~` and be no user's; then it is left as it is, where Path.expanduser raises.
    pattern = os.path.expanduser(pattern.removeprefix("file://"))  # noqa: PTH111
    with _disk_errors(base / pattern):
        paths = list(_paths(pattern, base))
    for path in paths:
        # Links are not followed, so that reports show the names that people gave.
        plain = Path(os.path.abspath(path))  # noqa: PTH100
        with _disk_errors(plain):
            file = None if plain.is_dir() else _local_file(plain)
        if file:
            yield file


def _paths(pattern: str, base: Path) -> Iterable[Path]:
    """What a path, a directory or a glob stands for."""
    path = base / pattern
    if path.is_dir():
        return [entry for entry in path.iterdir() if not entry.name.startswith(HIDDEN)]
    wild = GLOB.search(pattern)
    if wild is None or path.exists():
        _refuse_hidden(str(path))
        return [path]
    fixed = base / pattern[: wild.start()].rpartition("/")[0]
    if fixed.is_dir():
        next(fixed.iterdir(), None)  # in a directory it may not list, a glob finds nothing and does not say why
    # Path.glob would take no pattern that begins at the root.
    names = glob.glob(pattern, root_dir=base, recursive=True)  # noqa: PTH207
    return [base / name for name in names if not Path(name).name.startswith(HIDDEN)]


def _local_file(path: Path) -> SourceFile:
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):  # a pipe would be waited for without end
        raise InvalidInput(f"{path} is not a regular file.", hint="Copy what it holds into a file.")
    if ":" in path.name:
        raise InvalidInput(f"{path} has a ':' in its name, and Spark cannot open such files.", hint="Rename the file.")
    with path.open("rb"):
        pass
    url = f"file://{path}"
    url.encode()  # a name that is not UTF-8 could not be told to Spark
    return SourceFile(url, facts.st_size, _local_version(facts), datetime.fromtimestamp(facts.st_mtime, UTC))


@contextmanager
def _disk_errors(path: Path) -> Generator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(
            f"There is no file {path}.", hint="Check the path in the spec; it is relative to the spec."
        ) from None
    except PermissionError as error:
        place = error.filename or path
        raise Forbidden(
            f"{place} may not be read by this user.", hint=f"Allow it, for example with `chmod u+r {place}`."
        ) from None
    except (OSError, ValueError) as error:  # a name that is too long, holds NUL or is not UTF-8; a loop of links
        raise InvalidInput(f"{str(path)!r} cannot be read: {error}.", hint="Rename the file.") from error


def _in_s3(pattern: str, access: ObjectStoreAccess) -> Iterator[SourceFile]:
    bucket, _, key = pattern.split("://", 1)[1].partition("/")
    wild = GLOB.search(key)
    prefix = key[: wild.start()] if wild else key
    if not wild:
        _refuse_hidden(key)
    folder = prefix.rpartition("/")[0]
    store = _bucket(bucket, access)
    with storage_errors(f"s3://{bucket}/{prefix}"):
        pages = list(obstore.list(store, prefix=folder or None))
    for meta in (entry for page in pages for entry in page):
        name = meta["path"].rpartition("/")[2]
        if name.startswith(HIDDEN) or not _matches(meta["path"], key, is_pattern=wild is not None):
            continue
        yield SourceFile(f"s3://{bucket}/{meta['path']}", meta["size"], meta["e_tag"] or "", meta["last_modified"])


def _matches(path: str, key: str, *, is_pattern: bool) -> bool:
    if is_pattern:
        return _matches_glob(path.split("/"), key.split("/"))
    folder = key.rstrip("/")
    return not folder or path == key or path.startswith(folder + "/")


def _matches_glob(path: list[str], pattern: list[str]) -> bool:
    """As on disk: a wildcard stays inside its folder, and `**` stands for any number of folders, also for none."""
    if not pattern:
        return not path
    first, *rest = pattern
    if first == "**":
        return any(_matches_glob(path[skipped:], rest) for skipped in range(len(path) + 1))
    return bool(path) and fnmatch.fnmatchcase(path[0], first) and _matches_glob(path[1:], rest)


def _bucket(name: str, access: ObjectStoreAccess) -> Store:
    return open_store(
        f"s3://{name}",
        endpoint=access.endpoint,
        region=access.region,
        access_key=access.access_key.get_secret_value(),
        secret_key=access.secret_key.get_secret_value(),
    )


def _local_version(facts: os.stat_result) -> str:
    return f"{facts.st_mtime_ns}-{facts.st_size}-{facts.st_ino}"


def _refuse_hidden(path: str) -> None:
    name = path.rpartition("/")[2]
    if name.startswith(HIDDEN):
        raise InvalidInput(
            f"{path} begins with {name[0]!r}, and Spark passes over such files.", hint="Rename the file."
        )


def _where(pattern: str, base: Path) -> str:
    return "" if "://" in pattern or Path(pattern).is_absolute() else f" in {base}"
