"""Metadata while the updates of one commit are applied to it."""

from collections.abc import Iterable
from typing import Any

from boathouse.catalog.metadata.fields import Json


class Draft:
    """The base is never changed: every list or object is copied before its first change here.

    What the updates did is noted beside the metadata, because later updates refer to it (`-1` is the last one added)
    and the logs are written from it.
    """

    def __init__(self, base: Json, *, now_ms: int) -> None:
        self._base = base
        self._metadata = dict(base)
        self.now_ms = now_ms
        self.changed = False
        self.last_schema: int | None = None

    @property
    def version(self) -> int:
        return self._metadata["format-version"]

    def get(self, name: str, default: Any = None) -> Any:
        """A value to look at, not to change."""
        return self._metadata.get(name, default)

    def set(self, name: str, value: Any) -> None:
        self._metadata[name] = value
        self.changed = True

    def touched(self, names: Iterable[str]) -> bool:
        """Whether the updates set one of these, be it to what it was."""
        return any(self._metadata.get(name) is not self._base.get(name) for name in names)

    def append(self, name: str, value: Any) -> None:
        self.set(name, [*self.get(name, ()), value])

    def json(self) -> Json:
        return dict(self._metadata)


class TableDraft(Draft):
    def __init__(self, base: Json, *, now_ms: int) -> None:
        super().__init__(base, now_ms=now_ms)
        self._earliest_ms = _latest_ms(base)
        self._moment_ms: int | None = None
        self.added_schemas: list[int] = []
        self.added_specs: list[int] = []
        self.added_orders: list[int] = []
        self.last_spec: int | None = None
        self.last_order: int | None = None
        self.added_snapshots: set[int] = set()
        self.made_current: set[int] = set()
        self.removed_snapshots = False

    def moment_ms(self) -> int:
        """When this commit happens: as its snapshots say, or else now."""
        return self.happens_at(self.now_ms) if self._moment_ms is None else self._moment_ms

    def happens_at(self, said_ms: int) -> int:
        """Clocks differ and run backwards, but readers refuse logs that do: time never goes back in a table."""
        self._moment_ms = max(said_ms, self._earliest_ms if self._moment_ms is None else self._moment_ms)
        return self._moment_ms

    def schema(self) -> Json | None:
        """The current schema, once there is one."""
        current = self.get("current-schema-id")
        return next((schema for schema in self.get("schemas", ()) if schema["schema-id"] == current), None)

    def snapshot(self, snapshot_id: int) -> Json | None:
        return next((entry for entry in self.get("snapshots", ()) if entry["snapshot-id"] == snapshot_id), None)


def _latest_ms(base: Json) -> int:
    """The last moment the metadata tells of."""
    logged = [entry["timestamp-ms"] for log in ("snapshot-log", "metadata-log") for entry in base.get(log, ())[-1:]]
    return max([base.get("last-updated-ms", 0), *logged])


class ViewDraft(Draft):
    def __init__(self, base: Json, *, now_ms: int) -> None:
        super().__init__(base, now_ms=now_ms)
        self.added_versions: set[int] = set()
        self.last_version: int | None = None
        self.logged: Json | None = None
        """What the version log says of this commit: only the version that is current in the end is in it."""
