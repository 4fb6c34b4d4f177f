"""The files of a snapshot: by pages, in an order and of a sort that one chooses, and by size."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import Any

from boathouse.control.datasets.partition_labels import label, values_of
from boathouse.control.datasets.reading import current_snapshot, files_in, first_files, manifests_of, snapshot_of
from boathouse.control.datasets.table_schemas import FileTold, SizeClass, Sizes
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit.errors import InvalidInput
from boathouse.kit.manifests import LiveFile, Manifest
from boathouse.kit.partition_values import transforms

Json = dict[str, Any]
Found = tuple[Manifest, LiveFile]
DATA = 0
_CONTENTS = {DATA: "data", 1: "position deletes", 2: "equality deletes"}
_TARGET = "write.target-file-size-bytes"
# Iceberg's own, where a table does not say.
_USUAL_TARGET = 512 * 1024 * 1024
# Of the target. Iceberg's own compaction takes what is below three quarters; opening a file costs as much as reading a few MB.
SMALL = 1 / 8
_MIB = 1024 * 1024
_BOUNDS = (0, _MIB, 8 * _MIB, 32 * _MIB, 64 * _MIB, 128 * _MIB, 256 * _MIB, 512 * _MIB, 1024 * _MIB)


class FileOrder(StrEnum):
    PATH = "path"
    ROWS = "rows"
    BYTES = "bytes"
    PATH_DOWN = "-path"
    ROWS_DOWN = "-rows"
    BYTES_DOWN = "-bytes"


_ORDERS: dict[str, Callable[[Found], Any]] = {
    "path": lambda found: found[1].path,
    "rows": lambda found: found[1].records,
    "bytes": lambda found: found[1].bytes,
}


@dataclass(frozen=True)
class WantedFiles:
    snapshot_id: int | None = None
    """The current one, if left out."""
    order: FileOrder | None = None
    text: str | None = None
    """Somewhere in the path."""
    partition: str | None = None
    """As it is told in the list of partitions."""
    small: bool = False

    @property
    def narrowed(self) -> bool:
        """Whether all files have to be looked at to know which come first."""
        return bool(self.order or self.text or self.partition is not None or self.small)


def page(live: LiveTable, wanted: WantedFiles, cursor: str | None, limit: int) -> tuple[list[FileTold], str | None]:
    """Of one snapshot from the first page to the last, whatever is written meanwhile."""
    snapshot_id, offset = _parsed(cursor) if cursor else (wanted.snapshot_id, 0)
    snapshot = current_snapshot(live) if snapshot_id is None else snapshot_of(live, snapshot_id)
    if snapshot is None:
        return [], None
    found: list[LiveFile] = []
    chosen = _narrowed(live, snapshot, wanted, offset) if wanted.narrowed else _from(live, snapshot, offset)
    for position, file in chosen:
        if len(found) == limit:
            return told_files(live, found), f"{snapshot['snapshot-id']}.{position}"
        found.append(file)
    return told_files(live, found), None


def told_files(live: LiveTable, files: Sequence[LiveFile]) -> list[FileTold]:
    by_name = transforms(live.metadata)
    return [_told(file, by_name) for file in files]


def sizes(live: LiveTable) -> Sizes:
    files, complete = first_files(live, current_snapshot(live))
    found = [file.bytes for _, file in files if file.content == DATA]
    below = small_below(live.metadata)
    small = sum(size < below for size in found)
    return Sizes(
        files=len(found),
        bytes=sum(found),
        median=int(median(found)) if found else None,
        small_below=below,
        small_files=small,
        small_share=small / len(found) if found else None,
        classes=_classes(found),
        complete=complete,
    )


def small_below(metadata: Json) -> int:
    try:
        target = int((metadata.get("properties") or {}).get(_TARGET, _USUAL_TARGET))
    except ValueError:
        target = _USUAL_TARGET
    return int(target * SMALL)


def _classes(found: list[int]) -> list[SizeClass]:
    ends = [*_BOUNDS[1:], None]
    members = [
        [size for size in found if size >= start and (end is None or size < end)]
        for start, end in zip(_BOUNDS, ends, strict=True)
    ]
    return [
        SizeClass(at_least=start, below=end, files=len(inside), bytes=sum(inside))
        for start, end, inside in zip(_BOUNDS, ends, members, strict=True)
    ]


def _from(live: LiveTable, snapshot: Json, offset: int) -> Iterator[tuple[int, LiveFile]]:
    """Files from a position on. Manifests that lie before it are not read, if they say how many files they have."""
    position = 0
    manifests = manifests_of(live, snapshot)
    skipped = 0
    for manifest in manifests:
        if manifest.files is None or position + manifest.files > offset:
            break
        position, skipped = position + manifest.files, skipped + 1
    for _, files in files_in(live, manifests[skipped:]):
        for file in files:
            if position >= offset:
                yield position, file
            position += 1


def _narrowed(live: LiveTable, snapshot: Json, wanted: WantedFiles, offset: int) -> Iterator[tuple[int, LiveFile]]:
    found, _ = first_files(live, snapshot)
    keep = _judge(live, wanted)
    kept = [one for one in found if keep(one)]
    if wanted.order:
        kept.sort(key=_ORDERS[wanted.order.lstrip("-")], reverse=wanted.order.startswith("-"))
    return ((offset + number, file) for number, (_, file) in enumerate(kept[offset:]))


def _judge(live: LiveTable, wanted: WantedFiles) -> Callable[[Found], bool]:
    text, below, by_name = (wanted.text or "").casefold(), small_below(live.metadata), transforms(live.metadata)

    def keep(found: Found) -> bool:
        _, file = found
        return (
            text in file.path.casefold()
            and (not wanted.small or (file.content == DATA and file.bytes < below))
            and (wanted.partition is None or label(file, by_name) == wanted.partition)
        )

    return keep


def _parsed(cursor: str) -> tuple[int, int]:
    snapshot_id, _, offset = cursor.partition(".")
    if not (snapshot_id.isascii() and snapshot_id.isdigit() and offset.isascii() and offset.isdigit()):
        raise InvalidInput("The cursor is not one of a list of files.", hint="Take `next` as it is.")
    return int(snapshot_id), int(offset)


def _told(file: LiveFile, by_name: dict[str, str]) -> FileTold:
    return FileTold(
        content=_CONTENTS.get(file.content, str(file.content)),
        path=file.path,
        format=file.format,
        rows=file.records,
        bytes=file.bytes,
        partition=values_of(file, by_name),
    )
