"""Which places go with a namespace. Whoever may create in it may choose among them; any other takes managing the warehouse."""

import re

import orjson

from boathouse.catalog.errors import Forbidden, IllegalArgument
from boathouse.catalog.names import Namespace, TableName, namespace_key, path_segment
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.store import Store
from boathouse.catalog.warehouse import Warehouse

_SUFFIX = re.compile(r"-[0-9a-f]{8}")


class Reach:
    def __init__(self, store: Store, warehouse: Warehouse) -> None:
        self._store = store
        self._warehouse = warehouse

    async def check(self, name: TableName, location: str, asker: Asker) -> None:
        """Refuse a place outside of the namespace's own, unless the catalog itself chooses such for this name."""
        path = self._warehouse.path(location)
        if asker.manages or self._is_beside(name, path):
            return
        base = await self._base(name.namespace)
        if not self._is_inside(location, base):
            raise self._beyond(location, f"{base}, the location of namespace {name.namespace}")

    async def check_path(self, name: TableName, path: str, asker: Asker) -> None:
        """The same for where a property puts files: beside the namespace's own, places of any that the asker may create in."""
        if asker.manages or not await self._is_in_a_namespace_of(asker, path):
            await self.check(name, path, asker)

    async def check_namespace(self, namespace: Namespace, location: str, asker: Asker) -> None:
        """The same for the place of a namespace, which its tables will lie in."""
        self._warehouse.new_path(f"{location}/in")
        base = self._warehouse.url(namespace.path)
        if asker.manages or self._is_inside(f"{location}/in", base):
            return
        above = await self._base(namespace.parent) if namespace.parent else base
        if not self._is_inside(location, above):
            raise self._beyond(location, above)

    async def _is_in_a_namespace_of(self, asker: Asker, path: str) -> bool:
        """Only namespaces of which the path itself tells, by the names that they have there too."""
        parts = self._warehouse.path(path).split("/")
        for depth in range(1, len(parts)):
            namespace = Namespace(tuple(parts[:depth]))
            if asker.creates_in(namespace) and self._is_inside(path, await self._base(namespace)):
                return True
        return False

    async def _base(self, namespace: Namespace) -> str:
        entry = await self._store.read(namespace_key(self._warehouse.name, namespace))
        properties: dict[str, str] = orjson.loads(entry.value) if entry else {}
        return properties.get("location") or self._warehouse.url(namespace.path)

    def _is_beside(self, name: TableName, path: str) -> bool:
        first, own = path.partition("/")[0], path_segment(str(name))
        return first.startswith(own) and _SUFFIX.fullmatch(first.removeprefix(own)) is not None

    def _is_inside(self, location: str, base: str) -> bool:
        try:
            return self._warehouse.path(location).startswith(f"{self._warehouse.path(base)}/")
        except IllegalArgument:  # one of them is not in the warehouse
            return False

    def _beyond(self, location: str, base: str) -> Forbidden:
        return Forbidden(
            f"Cannot use {location}: it is outside of {base}, and that takes the grant 'manage' on warehouse "
            f"{self._warehouse.name}.",
            hint="Choose a place inside, choose none, or ask for the grant.",
        )
