"""Objects by their full address, in the lake's own store or on disk."""

from dataclasses import dataclass

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.objects import Store, canonical_url, open_store, storage_errors


@dataclass(frozen=True)
class LakeFiles:
    access: ObjectStoreAccess

    def get(self, url: str) -> bytes:
        store, name = self._at(url)
        with storage_errors(url):
            return bytes(obstore.get(store, name).bytes())

    def put_new(self, url: str, content: bytes) -> None:
        """Under a name that nobody has used."""
        store, name = self._at(url)
        with storage_errors(url):
            obstore.put(store, name, content, mode="create")

    def _at(self, url: str) -> tuple[Store, str]:
        place, _, name = canonical_url(url).rpartition("/")
        store = open_store(
            place,
            endpoint=self.access.endpoint,
            region=self.access.region,
            access_key=self.access.access_key.get_secret_value(),
            secret_key=self.access.secret_key.get_secret_value(),
        )
        return store, name
