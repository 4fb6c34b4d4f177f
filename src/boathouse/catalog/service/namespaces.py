"""Namespaces: folders of tables and views, with properties. One may lie inside another."""

from collections.abc import Callable, Sequence

import orjson

from boathouse.catalog.errors import AlreadyExists, NamespaceNotEmpty, NoSuchNamespace, Unprocessable
from boathouse.catalog.names import LEVEL, Namespace, children_prefix, namespace_key
from boathouse.catalog.service.answers import DONE, Answer
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.commits import Commits, Plan
from boathouse.catalog.service.kinds import KINDS
from boathouse.catalog.service.pages import Page, page_of
from boathouse.catalog.service.reach import Reach
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.store import Absent, Delete, Empty, Entry, Present, Put, Store, Unchanged


class Namespaces:
    def __init__(self, store: Store, commits: Commits, warehouse: str, reach: Reach) -> None:
        self._store = store
        self._commits = commits
        self._warehouse = warehouse
        self._reach = reach

    async def list(
        self, parent: Namespace | None, page: Page, shown: Callable[[Namespace], bool] | None = None
    ) -> tuple[list[Namespace], str | None]:
        """The namespaces directly below `parent` (those that are to be shown, if not all), and where the next page begins."""
        if parent is not None:
            await self._entry(parent)
        levels = parent.levels if parent else ()

        def child(name: str) -> Namespace:
            return Namespace((*levels, name.rpartition(LEVEL)[2]))

        def is_shown(name: str) -> bool:
            return shown is None or shown(child(name))

        seen = is_shown if shown else None
        names, following = await page_of(self._store, children_prefix(self._warehouse, parent), page, seen)
        return [child(name) for name in names], following

    async def create(
        self, namespace: Namespace, properties: dict[str, str], asker: Asker, ticket: Ticket | None
    ) -> Answer:
        key = self._key(namespace)
        above = (Present(self._key(namespace.parent)),) if namespace.parent else ()
        body = {"namespace": namespace.levels, "properties": properties}
        plan = Plan(Answer(200, body), (Absent(key), *above), (Put(key, orjson.dumps(properties)),))

        async def planned() -> Plan:
            if namespace.parent is not None:
                await self._entry(namespace.parent)
            if await self._store.read(key) is not None:
                raise AlreadyExists(f"Namespace already exists: {namespace}")
            await self._check_place(namespace, {}, properties, asker)
            return plan

        return await self._commits.carry_out(planned, ticket)

    async def properties(self, namespace: Namespace) -> dict[str, str]:
        return orjson.loads((await self._entry(namespace)).value)

    async def drop(self, namespace: Namespace, ticket: Ticket | None) -> Answer:
        contents = [kind.prefix(self._warehouse, namespace) for kind in KINDS]
        contents.append(children_prefix(self._warehouse, namespace))

        async def planned() -> Plan:
            entry = await self._entry(namespace)
            for prefix in contents:
                if await self._store.list(prefix, limit=1):
                    raise NamespaceNotEmpty(f"Namespace {namespace} is not empty.")
            comparisons = (Unchanged(entry.key, entry.revision), *(Empty(prefix) for prefix in contents))
            return Plan(DONE, comparisons, (Delete(entry.key),))

        return await self._commits.carry_out(planned, ticket)

    async def update(
        self,
        namespace: Namespace,
        removals: Sequence[str],
        updates: dict[str, str],
        asker: Asker,
        ticket: Ticket | None,
    ) -> Answer:
        both = sorted(set(removals) & updates.keys())
        if both:
            raise Unprocessable(f"Invalid namespace update, cannot simultaneously set and remove keys: {both}")

        async def planned() -> Plan:
            entry = await self._entry(namespace)
            before: dict[str, str] = orjson.loads(entry.value)
            after = {name: value for name, value in (before | updates).items() if name not in removals}
            await self._check_place(namespace, before, after, asker)
            body = {
                "updated": list(updates),
                "removed": [name for name in dict.fromkeys(removals) if name in before],
                "missing": [name for name in dict.fromkeys(removals) if name not in before],
            }
            return Plan(
                Answer(200, body), (Unchanged(entry.key, entry.revision),), (Put(entry.key, orjson.dumps(after)),)
            )

        return await self._commits.carry_out(planned, ticket)

    async def _check_place(
        self, namespace: Namespace, before: dict[str, str], after: dict[str, str], asker: Asker
    ) -> None:
        location = after.get("location")
        if location and location != before.get("location"):
            await self._reach.check_namespace(namespace, location, asker)

    async def _entry(self, namespace: Namespace) -> Entry:
        entry = await self._store.read(self._key(namespace))
        if entry is None:
            raise NoSuchNamespace(f"Namespace does not exist: {namespace}")
        return entry

    def _key(self, namespace: Namespace) -> str:
        return namespace_key(self._warehouse, namespace)
