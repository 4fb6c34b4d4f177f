"""Which files a spec names, on disk or in S3."""

import fnmatch
import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.errors import Forbidden, InvalidInput, NotFound
from boathouse.kit.objects import Store, open_store, storage_errors

GLOB = re.compile(r"[*?\[]")
# Spark passes over files with such names without a word, so we never hand it one.
HIDDEN = ("_", ".")


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
    path = os.path.join(base, os.path.expanduser(pattern.removeprefix("file://")))
    if GLOB.search(path) and not os.path.exists(path):
        names = [name for name in glob.glob(path, recursive=True) if not os.path.basename(name).startswith(HIDDEN)]
    elif os.path.isdir(path):
        names = [entry.path for entry in _entries(path) if not entry.name.startswith(HIDDEN)]
    else:
        _refuse_hidden(path)
        names = [path]
    for name in names:
        if os.path.isdir(name):
            continue
        yield _local_file(Path(os.path.abspath(name)))


def _local_file(path: Path) -> SourceFile:
    try:
        facts = path.stat()
        with path.open("rb"):
            pass
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", hint="Check the path in the spec; it is relative to the spec.") from None
    except PermissionError:
        raise _may_not_read(str(path)) from None
    modified = datetime.fromtimestamp(facts.st_mtime, UTC)
    return SourceFile(f"file://{path}", facts.st_size, _local_version(facts), modified)


def _entries(path: str) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(path), key=lambda entry: entry.name)
    except PermissionError:
        raise _may_not_read(path) from None


def _in_s3(pattern: str, access: ObjectStoreAccess) -> Iterator[SourceFile]:
    bucket, _, key = pattern.split("://", 1)[1].partition("/")
    wild = GLOB.search(key)
    prefix = key[: wild.start()] if wild else key
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
        return re.fullmatch(_expression(key), path) is not None
    return path == key or (key.endswith("/") and path.startswith(key)) or path.startswith(key + "/")


def _expression(pattern: str) -> str:
    """A glob in which `*` stays inside a folder and `**` does not."""
    parts = (".*" if part == "**" else fnmatch.translate(part)[4:-3].replace(".*", "[^/]*") for part in pattern.split("/"))
    return "/".join(parts)


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
    name = os.path.basename(path)
    if name.startswith(HIDDEN):
        raise InvalidInput(f"{path} begins with {name[0]!r}, and Spark passes over such files.", hint="Rename the file.")


def _may_not_read(path: str) -> Forbidden:
    return Forbidden(f"{path} may not be read by this user.", hint=f"Allow it, for example with `chmod u+r {path}`.")


def _where(pattern: str, base: Path) -> str:
    return "" if "://" in pattern or os.path.isabs(pattern) else f" in {base}"
