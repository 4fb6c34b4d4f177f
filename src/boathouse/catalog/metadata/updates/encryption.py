"""Updates of the keys that a table's files are encrypted with."""

from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, a_string, an_object, base64, string_map

KEYS = "encryption-keys"


def add_encryption_key(draft: TableDraft, update: Json) -> None:
    key = an_object(update, "encryption-key")
    key_id = a_string(key, "key-id")
    _check(key)
    if all(known["key-id"] != key_id for known in draft.get(KEYS, ())):
        draft.append(KEYS, key)


def remove_encryption_key(draft: TableDraft, update: Json) -> None:
    removed = a_string(update, "key-id")
    keys: list[Json] = draft.get(KEYS, [])
    kept = [key for key in keys if key["key-id"] != removed]
    if len(kept) != len(keys):
        draft.set(KEYS, kept)


def _check(key: Json) -> None:
    base64(key, "encrypted-key-metadata")
    if key.get("encrypted-by-id") is not None:
        a_string(key, "encrypted-by-id")
    if key.get("properties") is not None:
        string_map(key, "properties")
