"""A new view's metadata, one commit's updates applied to it, and the log of versions that follows from them."""

from collections.abc import Mapping, Sequence

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata.draft import ViewDraft
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.properties import whole_number
from boathouse.catalog.metadata.updates.applying import apply_known
from boathouse.catalog.metadata.views.form import SUPPORTED_VERSION
from boathouse.catalog.metadata.views.updates import LAST_ADDED, VIEW_UPDATES
from boathouse.catalog.metadata.views.versions import checked_version, dialects

_VERSIONS_KEPT = "version.history.num-entries"
_VERSIONS_KEPT_DEFAULT = 10
_MAY_DROP_DIALECT = "replace.drop-dialect.allowed"
_MAY_APPEND_DIALECT = "replace.append-dialect.allowed"


def new_view(*, uuid: str, location: str, schema: Json, version: Json, properties: dict[str, str], now_ms: int) -> Json:
    """The version's own schema id is replaced by the one the schema is given."""
    first = checked_version({**version, "schema-id": LAST_ADDED})
    if not first["representations"]:
        raise IllegalArgument("Cannot create view without specifying a query")
    unsupported = sorted({entry["type"] for entry in first["representations"]} - {"sql"})
    if unsupported:
        raise IllegalArgument(f"Found unsupported view representations: {unsupported}")
    nothing: Json = {
        "view-uuid": uuid,
        "format-version": SUPPORTED_VERSION,
        "location": location,
        "schemas": [],
        "versions": [],
        "version-log": [],
        "properties": properties,
    }
    updates: list[Json] = [
        {"action": "add-schema", "schema": schema},
        {"action": "add-view-version", "view-version": first},
        {"action": "set-current-view-version", "view-version-id": LAST_ADDED},
    ]
    draft = ViewDraft(nothing, now_ms=now_ms)
    apply_known(draft, updates, VIEW_UPDATES)
    return _finished(draft)


def change_view(base: Json, updates: Sequence[Json], *, now_ms: int) -> Json:
    """The metadata after the updates; `base` itself when they change nothing."""
    draft = ViewDraft(base, now_ms=now_ms)
    apply_known(draft, updates, VIEW_UPDATES)
    if not draft.changed:
        return base
    _check_dialects(draft, base)
    return _finished(draft)


def _finished(draft: ViewDraft) -> Json:
    if draft.logged is not None:
        draft.append("version-log", draft.logged)
    if _true(draft.get("properties"), _MAY_DROP_DIALECT) and _true(draft.get("properties"), _MAY_APPEND_DIALECT):
        raise IllegalArgument(f"Cannot set both {_MAY_DROP_DIALECT} and {_MAY_APPEND_DIALECT} to true")
    _expire_versions(draft)
    return draft.json()


def _expire_versions(draft: ViewDraft) -> None:
    """Old versions go, but never the current one nor what this commit added."""
    wanted = whole_number(draft.get("properties"), _VERSIONS_KEPT, _VERSIONS_KEPT_DEFAULT)
    if wanted <= 0:
        raise IllegalArgument(f"{_VERSIONS_KEPT} must be positive but was {wanted}")
    current, versions = draft.get("current-version-id"), draft.get("versions")
    untouchable = draft.added_versions | {current}
    if len(versions) <= max(wanted, len(untouchable)):
        return
    others = sorted((v["version-id"] for v in versions if v["version-id"] not in untouchable), reverse=True)
    kept = untouchable.union(others[: max(0, wanted - len(untouchable))])
    draft.set("versions", [version for version in versions if version["version-id"] in kept])
    draft.set("version-log", _unbroken(draft.get("version-log"), kept))


def _unbroken(log: Sequence[Json], known: set[int]) -> list[Json]:
    """The log since the last version that is gone: a gap would stretch the time of the version before it."""
    gone = [place for place, entry in enumerate(log) if entry["version-id"] not in known]
    return list(log[gone[-1] + 1 :] if gone else log)


def _check_dialects(draft: ViewDraft, base: Json) -> None:
    """Whoever reads the view in a dialect must not lose it by somebody else's replacement."""
    if _true(draft.get("properties"), _MAY_DROP_DIALECT):
        return
    before, after = (sorted(dialects(_current(metadata))) for metadata in (base, draft.json()))
    if not set(before) <= set(after):
        raise IllegalArgument(
            f"Cannot replace view due to loss of view dialects ({_MAY_DROP_DIALECT}=false):\n"
            f"Previous dialects: [{', '.join(before)}]\nNew dialects: [{', '.join(after)}]"
        )


def _current(metadata: Json) -> Json:
    return next(v for v in metadata["versions"] if v["version-id"] == metadata["current-version-id"])


def _true(properties: Mapping[str, str], name: str) -> bool:
    return properties.get(name, "false").lower() == "true"
