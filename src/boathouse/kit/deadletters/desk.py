"""Where rejected rows of the lake are read, and where it is written down what somebody decides about them."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from boathouse.kit.access import CatalogAccess, ObjectStoreAccess
from boathouse.kit.appending import append
from boathouse.kit.catalog_client import CatalogClient, Json, LoadedTable, TableName
from boathouse.kit.deadletters.book import INDEX, Book, Place, Wanted
from boathouse.kit.deadletters.ledger import (
    MENDS,
    Action,
    Entry,
    Fate,
    RejectState,
    as_rows,
    fates,
    next_moment,
    read_entries,
    reject_id,
)
from boathouse.kit.deadletters.mending import Form
from boathouse.kit.deadletters.shelf import Shelf
from boathouse.kit.errors import Conflict, InvalidInput, NotFound
from boathouse.kit.lake_files import LakeFiles
from boathouse.kit.manifests import LiveFile
from boathouse.kit.relations import MENDS_SUFFIX, REJECTS_SUFFIX
from boathouse.kit.table_metadata import current_snapshot
from boathouse.kit.table_rows import Rows, data_files, read_all, read_file

# Some seconds of reading, and half a gigabyte. Who has more wants SQL.
MOST_REJECTS = 1_000_000
# Another may have decided something meanwhile; then it is asked again whether this still makes sense.
_ATTEMPTS = 5
_STORED = pa.schema([field for field in INDEX if field.name not in {"id", "data_file", "row"}])
_TEXTS = pa.schema(
    [
        ("raw", pa.string()),
        ("raw_bytes", pa.binary()),
        ("key", pa.binary()),
        ("kafka_at", pa.timestamp("us", "UTC")),
    ]
)
CREATE_MENDS: Json = {
    "schema": {
        "type": "struct",
        "schema-id": 0,
        "fields": [
            {
                "id": number,
                "name": field.name,
                "required": False,
                "type": "timestamptz" if field.name == "at" else "string",
            }
            for number, field in enumerate(MENDS, 1)
        ],
    },
    "properties": {"format-version": "2"},
}


@dataclass(frozen=True)
class Text:
    """A rejected row as it stood."""

    raw: str | None
    raw_bytes: bytes | None
    """Only where they are not valid UTF-8, and so `raw` is not what stood there."""
    key: bytes | None = None
    """Of an event. Those that were rejected before it was noted have none, and no time."""
    kafka_at: datetime | None = None

    @property
    def whole(self) -> bytes | None:
        """None of an event that has no value, and of a file that is no row."""
        return self.raw_bytes if self.raw is None or self.raw_bytes is not None else self.raw.encode()

    def bytes_in_base64(self) -> str | None:
        return None if self.raw_bytes is None else base64.b64encode(self.raw_bytes).decode()


class Desk:
    """The rejects of one table. Where it is known how they are written, nobody can mend them otherwise."""

    def __init__(
        self,
        table: TableName,
        catalog: CatalogAccess,
        store: ObjectStoreAccess,
        shelf: Shelf | None = None,
        form: Form | None = None,
    ) -> None:
        self.table = table
        self._catalog = catalog
        self._files = LakeFiles(store)
        self._shelf = shelf or Shelf()
        self.form = form

    def book(self, mends: Json | None = None) -> Book:
        """As it stands now, or with what was decided up to a version of the mends."""
        with CatalogClient(self._catalog) as client:
            rejects = client.find_table(self.table.beside(REJECTS_SUFFIX))
            if mends is None:
                loaded = client.find_table(self.table.beside(MENDS_SUFFIX))
                mends = loaded.metadata if loaded else {}
        return self._read(rejects, mends)

    def standing(self) -> tuple[int, int]:
        """How many were ever rejected, and how many of them are open; the rejects themselves are not read."""
        with CatalogClient(self._catalog) as client:
            rejects = client.find_table(self.table.beside(REJECTS_SUFFIX))
            mends = client.find_table(self.table.beside(MENDS_SUFFIX)) if rejects else None
        snapshot = current_snapshot(rejects.metadata) if rejects else None
        total = int((snapshot or {}).get("summary", {}).get("total-records", 0))
        known = self._fates(mends.metadata) if mends and total else {}
        return total, total - sum(fate.state is not RejectState.OPEN for fate in known.values())

    def find_one(self, reject: str) -> Place:
        found = self.book().find(Wanted(ids=frozenset({reject})))
        if not found:
            raise _unknown(reject, self.table)
        return found[0]

    def texts(self, places: Sequence[Place]) -> dict[str, Text]:
        """Of these rejects, by their ids."""
        found: dict[str, Text] = {}
        for path in {place.data_file for place in places}:
            here = [place for place in places if place.data_file == path]
            rows = read_file(LiveFile(0, path, "parquet", 0, 0, {}), _TEXTS.names, _TEXTS, self._files)
            taken = rows.take([place.row for place in here]).to_pylist()
            found |= {place.id: Text(**row) for place, row in zip(here, taken, strict=True)}
        return found

    def decide(
        self, ids: Iterable[str], action: Action, *, by: str, raw: str | None = None, note: str | None = None
    ) -> int:
        """Write it down for each that it makes sense for; how many those were."""
        if raw is not None and self.form is not None:
            self.form.bytes_of(raw)
        wanted = list(dict.fromkeys(ids))
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._decide(wanted, action, by=by, raw=raw, note=note)
            except Conflict:
                if attempt == _ATTEMPTS:
                    raise
        return 0

    def _decide(self, ids: list[str], action: Action, *, by: str, raw: str | None, note: str | None) -> int:
        name = self.table.beside(MENDS_SUFFIX)
        with CatalogClient(self._catalog) as client:
            rejects = client.find_table(self.table.beside(REJECTS_SUFFIX))
            mends = client.find_table(name)
            book = self._read(rejects, mends.metadata if mends else {})
            changing = _sensible(book, ids, action, self.table)
            if changing:
                at = next_moment(book.fates)
                entries = [Entry(reject, action, at, by, raw, note) for reject in changing]
                append(client, name, mends or client.create_table(name, CREATE_MENDS), as_rows(entries), self._files)
        return len(changing)

    def _read(self, rejects: LoadedTable | None, mends: Json) -> Book:
        if rejects is None:
            return Book(INDEX.empty_table(), {})
        version = (_version(rejects.metadata), _version(mends))
        return self._shelf.books.get(version) or self._shelf.books.keep(version, self._made(rejects.metadata, mends))

    def _made(self, rejects: Json, mends: Json) -> Book:
        parts: list[Rows] = []
        room, complete = MOST_REJECTS, True
        for file in data_files(rejects, self._files):
            if parts and file.records > room:
                complete = False
                break
            parts.append(self._shelf.files.get(file.path) or self._indexed(file))
            room -= file.records
        index = pa.concat_tables(parts) if parts else INDEX.empty_table()
        return Book(index, self._fates(mends), complete=complete)

    def _fates(self, mends: Json) -> dict[str, Fate]:
        version = _version(mends)
        if (known := self._shelf.fates.get(version)) is not None:
            return known
        entries = read_entries(read_all(mends, MENDS, self._files)) if mends else []
        return self._shelf.fates.keep(version, fates(entries))

    def _indexed(self, file: LiveFile) -> Rows:
        rows = read_file(file, _STORED.names, _STORED, self._files)
        places = zip(*(rows[name].to_pylist() for name in ("load_id", "file", "line")), strict=True)
        ids = pa.array([reject_id(*place) for place in places], pa.string())
        paths = pa.array([file.path] * rows.num_rows, pa.string())
        whole = rows.append_column("id", ids).append_column("data_file", paths)
        numbered = whole.append_column("row", pa.array(range(rows.num_rows), pa.int64()))
        return self._shelf.files.keep(file.path, numbered.select(INDEX.names))


def _version(metadata: Json) -> tuple[str | None, int | None]:
    snapshot = current_snapshot(metadata) if metadata else None
    return metadata.get("table-uuid"), snapshot["snapshot-id"] if snapshot else None


def _sensible(book: Book, ids: list[str], action: Action, table: TableName) -> list[str]:
    """Those for which it changes something; of one alone it is said why not."""
    wanted = RejectState.DISCARDED if action is Action.REOPENED else RejectState.OPEN
    unknown = [one for one in ids if one not in book.fates and not book.has(one)]
    if unknown:
        raise _unknown(unknown[0], table)
    fitting = [one for one in ids if (book.fates[one].state if one in book.fates else RejectState.OPEN) is wanted]
    if len(ids) == 1 and not fitting:
        raise InvalidInput(
            f"The row {ids[0]} is {book.fates[ids[0]].state if ids[0] in book.fates else RejectState.OPEN}, so it cannot be {action}.",
            hint="Only a discarded row can be opened again." if action is Action.REOPENED else "Only an open row can.",
        )
    return fitting


def _unknown(reject: str, table: TableName) -> NotFound:
    return NotFound(
        f"There is no rejected row {reject!r} of {table}.", hint="`boathouse deadletter list` shows their ids."
    )
