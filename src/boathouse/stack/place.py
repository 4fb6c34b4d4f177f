"""Whether a home is where it was. A copy of one must not share what runs elsewhere with the original."""

from pathlib import Path

from boathouse.kit.errors import Conflict
from boathouse.kit.files import PRIVATE, write_atomically
from boathouse.kit.settings import Settings


def keep_place(settings: Settings) -> None:
    """Note where the home is. Raise if it was somewhere else, and shares more than its files with the one there."""
    home = settings.home.resolve()
    note = home / "place"
    before = Path(note.read_text()) if note.exists() else home
    if before != home and (shared := _elsewhere(settings)):
        raise Conflict(
            f"This home was {before} before, and {' and '.join(shared)} would be shared with what is there. Both would "
            "follow Postgres by the same slots and write the same tables, and each would lose what the other has read.",
            hint=f"If {before} is never started again, remove {note}. Else give this one others, or use the original.",
        )
    if before != home or not note.exists():
        write_atomically(note, str(home).encode(), mode=PRIVATE)


def _elsewhere(settings: Settings) -> list[str]:
    given = {
        "object_store.endpoint": settings.object_store.endpoint,
        "postgres.host": settings.postgres.host,
        "clickhouse.uri": settings.clickhouse.uri,
    }
    return [name for name, value in given.items() if value]
