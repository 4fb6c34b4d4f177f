"""Which older metadata files a table keeps, and which it asks to be deleted."""

from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.properties import whole_number

_KEPT = "write.metadata.previous-versions-max"
_KEPT_DEFAULT = 100
_DELETED = "write.metadata.delete-after-commit.enabled"
_ENDINGS = (".metadata.json", ".metadata.json.gz")


def next_log(properties: dict[str, str], base: Json, base_location: str) -> list[Json]:
    """The log of older metadata files once the one at `base_location` is among them."""
    kept = max(1, whole_number(properties, _KEPT, _KEPT_DEFAULT))
    log: list[Json] = base.get("metadata-log", [])
    # Somebody else's metadata may say that it is older than the files before it.
    since = max([base["last-updated-ms"], *(entry["timestamp-ms"] for entry in log[-1:])])
    return [*log, {"timestamp-ms": since, "metadata-file": base_location}][-kept:]


def outdated_files(base: Json, changed: Json) -> list[str]:
    """The metadata files that a commit drops from the log, if the table wants them deleted with it.

    A log can be registered with whatever somebody wrote into it. So that nobody else's files are deleted by it, only
    metadata files inside the table's own location count.
    """
    if changed.get("properties", {}).get(_DELETED, "false").lower() != "true":
        return []
    own = f"{base['location'].rstrip('/')}/"
    dropped = _logged(base) - _logged(changed)
    return sorted(file for file in dropped if file.startswith(own) and file.endswith(_ENDINGS))


def _logged(metadata: Json) -> set[str]:
    files = (entry.get("metadata-file") for entry in metadata.get("metadata-log", ()))
    return {file for file in files if isinstance(file, str)}
