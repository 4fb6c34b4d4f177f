"""The mark of an import that takes more than one commit, there from its first to its last."""

from dataclasses import dataclass

from boathouse.catalog.store import Put, Store, Unchanged

UNFINISHED = "import/unfinished"


@dataclass(frozen=True)
class Mark:
    """`sha256` is that of the backup, so that only the same one may go on."""

    sha256: str
    revision: int

    def still(self) -> Unchanged:
        """Holds as long as the import is neither finished nor taken over by another process."""
        return Unchanged(UNFINISHED, self.revision)


def mark(sha256: str) -> Put:
    return Put(UNFINISHED, sha256.encode())


async def mark_in(store: Store) -> Mark | None:
    entry = await store.read(UNFINISHED)
    return Mark(entry.value.decode(), entry.revision) if entry else None
