"""Updates of the keys that a table's files are encrypted with."""

from boathouse.catalog.metadata.draft import Draft
from boathouse.catalog.metadata.fields import Json, a_string, an_object

KEYS = "encryption-keys"


def add_encryption_key(draft: Draft, update: Json) -> None:
    key = an_object(update, "encryption-key")
    a_string(key, "encrypted-key-metadata")
    key_id = a_string(key, "key-id")
    if all(known["key-id"] != key_id for known in draft.get(KEYS, ())):
        draft.append(KEYS, key)


def remove_encryption_key(draft: Draft, update: Json) -> None:
    removed = a_string(update, "key-id")
    keys: list[Json] = draft.get(KEYS, [])
    kept = [key for key in keys if key["key-id"] != removed]
    if len(kept) != len(keys):
        draft.set(KEYS, kept)
