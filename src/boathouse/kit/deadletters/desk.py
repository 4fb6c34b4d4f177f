"""Where rejected rows of the lake are read, and where it is written down what somebody decides about them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

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
from boathouse.kit.deadletters.newest import Newest
from boathouse.kit.deadletters.shelf import Shelf
from boathouse.kit.deadletters.texts import Text, texts_in
from boathouse.kit.errors import Conflict, InvalidInput, NotFound
from boathouse.kit.lake_files import LakeFiles
from boathouse.kit.manifests import LiveFile
from boathouse.kit.relations import MENDS_SUFFIX, REJECTS_SUFFIX
from boathouse.kit.table_metadata import ancestors, count, current_snapshot
from boathouse.kit.table_rows import Rows, data_files, read_all, read_file

# Some seconds of reading, and half a gigabyte. Who looks for more at once wants SQL.
MOST_REJECTS = 1_000_000
# Another may have decided something meanwhile; then it is asked again whether this still makes sense.
_ATTEMPTS = 5
_STORED = pa.schema([field for field in INDEX if field.name not in {"id", "data_file", "row"}])
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

    def book(self, mends: Json | None = None, *, ids: Collection[str] = (), seen: int | None = None) -> Book:
        """As it stands now, or with what was decided up to a version of the mends; with these, however many are newer.

        Of the rejects that somebody has `seen`, which came up to that snapshot: without those that came since.
        """
        rejects, found = self._tables(mends)
        if seen is not None:
            rejects = _as_seen(rejects, seen, self.table)
        return self._with(ids, self._read(rejects, found), rejects)

    def book_now(self) -> tuple[Book, int | None]:
        """As it stands now, and up to which snapshot the rejects came; none where there are none."""
        rejects, mends = self._tables()
        snapshot = current_snapshot(rejects.metadata) if rejects else None
        return self._read(rejects, mends), snapshot["snapshot-id"] if snapshot else None

    def _tables(self, mends: Json | None = None) -> tuple[LoadedTable | None, Json]:
        with CatalogClient(self._catalog) as client:
            rejects = client.find_table(self.table.beside(REJECTS_SUFFIX))
            if mends is None:
                loaded = client.find_table(self.table.beside(MENDS_SUFFIX))
                mends = loaded.metadata if loaded else {}
        return rejects, mends

    def standing(self) -> tuple[int, int]:
        """How many were ever rejected, and how many of them are open. Where rejects were only added, they are not read."""
        with CatalogClient(self._catalog) as client:
            rejects = client.find_table(self.table.beside(REJECTS_SUFFIX))
            mends = client.find_table(self.table.beside(MENDS_SUFFIX)) if rejects else None
        total = _total(rejects.metadata, "total-records") if rejects else 0
        if rejects is None or mends is None or not total:
            return total, total
        if _may_have_lost_rows(rejects.metadata):
            # What was decided about a row is there longer than the row.
            book, still = self._read(rejects, mends.metadata), Wanted(state=RejectState.OPEN)
            if book.tells_all(still):
                return total, book.count(still)
        settled = sum(fate.state is not RejectState.OPEN for fate in self._fates(mends.metadata).values())
        # Nobody knows any more what was taken away where those snapshots are expired.
        return total, max(total - settled, 0)

    def find_one(self, reject: str) -> Place:
        found = self.book(ids=[reject]).find(Wanted(ids=frozenset({reject})))
        if not found:
            raise _unknown(reject, self.table)
        return found[0]

    def texts(self, places: Sequence[Place], *, room: int | None = None) -> dict[str, Text]:
        """Of these rejects, by their ids; of as many as have so many bytes together, and of one at least."""
        by_file: dict[str, dict[int, str]] = {}
        for place in places:
            by_file.setdefault(place.data_file, {})[place.row] = place.id
        found: dict[str, Text] = {}
        taken = 0
        for path, ids in by_file.items():
            for row, text in texts_in(self._files.get(path), list(ids)):
                taken += text.size
                if room is not None and taken > room and found:
                    return found
                found[ids[row]] = text
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
            book = self._with(ids, self._read(rejects, mends.metadata if mends else {}), rejects)
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
        newest, room = Newest(MOST_REJECTS, self._fates(mends)), MOST_REJECTS
        for file in data_files(rejects, self._files):
            rows = self._rows_of(file)
            if room > 0:
                # What is older is hardly looked at, and there may be any number of it.
                self._shelf.files.keep(file.path, rows)
            room -= file.records
            if not newest.take(rows):
                break
        return newest.book()

    def _with(self, ids: Collection[str], book: Book, rejects: LoadedTable | None) -> Book:
        missing = set() if book.complete else {one for one in ids if not book.has(one)}
        if rejects is None or not missing:
            return book
        return book.adding(pa.concat_tables([INDEX.empty_table(), *self._found(missing, rejects.metadata)]))

    def _found(self, ids: set[str], rejects: Json) -> Iterator[Rows]:
        """Wherever they are."""
        left = set(ids)
        for file in data_files(rejects, self._files):
            rows = self._rows_of(file)
            here = rows.filter(pa.array([one in left for one in rows["id"].to_pylist()], pa.bool_()))
            yield here
            left.difference_update(here["id"].to_pylist())
            if not left:
                return

    def _fates(self, mends: Json) -> dict[str, Fate]:
        version = _version(mends)
        if (known := self._shelf.fates.get(version)) is not None:
            return known
        entries = read_entries(read_all(mends, MENDS, self._files)) if mends else []
        return self._shelf.fates.keep(version, fates(entries))

    def _rows_of(self, file: LiveFile) -> Rows:
        kept = self._shelf.files.get(file.path)
        return self._indexed(file) if kept is None else kept

    def _indexed(self, file: LiveFile) -> Rows:
        rows = read_file(file, _STORED.names, _STORED, self._files)
        places = zip(*(rows[name].to_pylist() for name in ("load_id", "file", "line")), strict=True)
        ids = pa.array([reject_id(*place) for place in places], pa.string())
        paths = pa.array([file.path] * rows.num_rows, pa.string())
        whole = rows.append_column("id", ids).append_column("data_file", paths)
        numbered = whole.append_column("row", pa.array(range(rows.num_rows), pa.int64()))
        return numbered.select(INDEX.names)


def _version(metadata: Json) -> tuple[str | None, int | None]:
    snapshot = current_snapshot(metadata) if metadata else None
    return metadata.get("table-uuid"), snapshot["snapshot-id"] if snapshot else None


def _as_seen(rejects: LoadedTable | None, seen: int, table: TableName) -> LoadedTable:
    if rejects is None or seen not in ancestors(rejects.metadata):
        raise Conflict(
            f"The rejects of {table} are no longer those that were seen: they were rolled back, or seen too long ago.",
            hint="Look at them again.",
        )
    return replace(rejects, metadata={**rejects.metadata, "current-snapshot-id": seen})


def _total(metadata: Json, what: str) -> int:
    return count((current_snapshot(metadata) or {}).get("summary") or {}, what)


def _may_have_lost_rows(metadata: Json) -> bool:
    """By what is known of its history, which a pipeline only adds to. Not one that only an engine can read."""
    way = ancestors(metadata)
    changed = any(
        one["snapshot-id"] not in way or (one.get("summary") or {}).get("operation") in {"delete", "overwrite"}
        for one in metadata.get("snapshots", [])
    )
    return changed and not _total(metadata, "total-delete-files")


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
