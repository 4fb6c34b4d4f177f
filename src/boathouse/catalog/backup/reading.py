"""Reading a backup: nothing of it is used before all of it was read and its checksum was found right."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from boathouse.catalog.backup.lines import entry_of, lines_of
from boathouse.catalog.backup.summary import FORMAT, VERSION, Summary
from boathouse.catalog.store import Put
from boathouse.kit.errors import InvalidInput


def verified(path: Path) -> Summary:
    """What the backup holds, if it is whole and unchanged."""
    digest, held, count = sha256(), b"", 0
    header: dict[str, Any] = {}
    for text in lines_of(path):
        if held:
            digest.update(held)
            header = header or _header(path, held)
            count += 1
        held = text
    last = _parsed(path, held)
    if last.get("sha256") != digest.hexdigest() or last.get("entries") != count - 1:
        raise InvalidInput(
            f"The backup {path} is cut short or was changed: its checksum is not right.",
            hint="Take another copy of it, or an older backup. Nothing was imported.",
        )
    return Summary(
        header["revision"], header["taken"], header["store"], last["entries"], last["counts"], last["sha256"]
    )


def entries_of(path: Path) -> Iterator[Put]:
    """The entries of a backup that was verified."""
    lines = lines_of(path)
    next(lines)
    held = next(lines)
    for text in lines:
        yield entry_of(orjson.loads(held))
        held = text


def _header(path: Path, text: bytes) -> dict[str, Any]:
    header = _parsed(path, text)
    if header.get("format") != FORMAT:
        raise InvalidInput(f"{path} is no backup of a catalog.", hint="Name a file that `catalog export` wrote.")
    if header.get("version") != VERSION:
        raise InvalidInput(
            f"The backup {path} has format version {header.get('version')}; this version reads {VERSION}.",
            hint="Import it with the version of Boathouse that wrote it, or a later one.",
        )
    return header


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(text)
    except orjson.JSONDecodeError:
        parsed = None
    if not isinstance(parsed, dict):
        raise InvalidInput(
            f"{path} is no backup of a catalog, or is cut short.", hint="Name a file that `catalog export` wrote."
        )
    return parsed
