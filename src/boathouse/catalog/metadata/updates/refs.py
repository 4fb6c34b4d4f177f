"""Updates of branches and tags."""

from typing import Any

from boathouse.catalog.errors import IllegalArgument, Validation
from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, a_long, a_string, an_int
from boathouse.catalog.metadata.form import NO_SNAPSHOT

MAIN = "main"

_RETENTION = ("min-snapshots-to-keep", "max-snapshot-age-ms", "max-ref-age-ms")
_KNOWN = frozenset({"snapshot-id", "type", *_RETENTION})
_OF_THE_UPDATE = frozenset({"action", "ref-name"})


def set_snapshot_ref(draft: TableDraft, update: Json) -> None:
    name = a_string(update, "ref-name")
    refs: Json = draft.get("refs", {})
    ref = _unknown(refs.get(name, {}), update) | _ref(name, update)
    if refs.get(name) == ref:
        return
    snapshot = draft.snapshot(ref["snapshot-id"])
    if snapshot is None:
        raise Validation(f"Cannot set {name} to unknown snapshot: {ref['snapshot-id']}")
    if ref["snapshot-id"] in draft.added_snapshots:
        draft.happens_at(snapshot["timestamp-ms"])
    if name == MAIN:
        _make_current(draft, ref["snapshot-id"])
    draft.set("refs", {**refs, name: ref})


def remove_snapshot_ref(draft: TableDraft, update: Json) -> None:
    drop_ref(draft, a_string(update, "ref-name"))


def drop_ref(draft: TableDraft, name: str) -> None:
    refs: Json = draft.get("refs", {})
    if name not in refs:
        return
    if name == MAIN:
        draft.set("current-snapshot-id", NO_SNAPSHOT)
    draft.set("refs", {other: ref for other, ref in refs.items() if other != name})


def _make_current(draft: TableDraft, snapshot_id: int) -> None:
    draft.set("current-snapshot-id", snapshot_id)
    draft.append("snapshot-log", {"timestamp-ms": draft.moment_ms(), "snapshot-id": snapshot_id})
    draft.made_current.add(snapshot_id)


def _unknown(before: Json, update: Json) -> Json:
    """What newer writers say of the ref. One who does not know it cannot repeat it, so it stays until it is set to null."""
    said = {name: value for name, value in update.items() if name not in _OF_THE_UPDATE}
    return {name: value for name, value in (before | said).items() if name not in _KNOWN and value is not None}


def _ref(name: str, update: Json) -> Json:
    kind = a_string(update, "type").lower()
    if kind not in {"branch", "tag"}:
        raise IllegalArgument(f"Invalid snapshot ref type: {kind[:100]}")
    if name == MAIN and kind != "branch":
        raise Validation("Cannot set main to a tag: main must be a branch")
    ref: dict[str, Any] = {"snapshot-id": a_long(update, "snapshot-id"), "type": kind}
    for setting in _RETENTION:
        if update.get(setting) is not None:
            value = an_int(update, setting) if setting == _RETENTION[0] else a_long(update, setting)
            ref[setting] = _checked(setting, value, kind)
    return ref


def _checked(setting: str, value: int, kind: str) -> int:
    if kind == "tag" and setting != "max-ref-age-ms":
        raise IllegalArgument(f"Tags do not support setting {setting}")
    if value <= 0:
        raise IllegalArgument(f"Invalid {setting}: {value} must be greater than 0")
    return value
