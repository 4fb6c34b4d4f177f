"""The catalog against a small model: whatever is asked of both, in whatever order and however often, they agree.

The model is a dictionary of namespaces with their properties, one of tables, each a list of appended snapshots and its
properties, and one of views, each its current query. No name is in both.
Requests may be sent again under their idempotency key, and must then be answered alike and change nothing; nothing else
may be sent under it.
"""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from boathouse.catalog.names import path_segment
from boathouse.catalog.store import open_store
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    HttpCatalog,
    append,
    change,
    commit,
    creation,
    main_at,
    new_view,
    path_of,
    renaming,
    replacement,
    set_properties,
    table_path,
    view_path,
)
from tests.etcd_cluster import EtcdCluster

NAMESPACES = st.sampled_from(["a", "b", "c/d"])
TABLES = st.tuples(NAMESPACES, st.sampled_from(["t", "u", "v w"]))
Name = tuple[str, str]


@dataclass
class ModelTable:
    location: str
    snapshots: list[int] = field(default_factory=list[int])
    properties: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def current(self) -> int | None:
        return self.snapshots[-1] if self.snapshots else None


@dataclass(frozen=True)
class Forgotten:
    """A table that was unregistered: its files are still there."""

    metadata_location: str
    table: ModelTable


@dataclass(frozen=True)
class ModelView:
    location: str
    query: str


@dataclass(frozen=True)
class Sent:
    key: str
    method: str
    path: str
    body: Any
    status: int
    content: bytes


class CatalogModel(RuleBasedStateMachine):
    """On SQLite, unless there is a cluster."""

    cluster: EtcdCluster | None = None

    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp())
        self.root = new_uuid()
        self.loop = asyncio.new_event_loop()
        self.lake = self.opened()
        self.namespaces: dict[str, dict[str, str]] = {}
        self.tables: dict[Name, ModelTable] = {}
        self.views: dict[Name, ModelView] = {}
        self.forgotten: list[Forgotten] = []
        self.snapshot_id = 0
        self.sent: list[Sent] = []

    def opened(self) -> HttpCatalog:
        """The catalog as the one before left it."""
        if self.cluster is None:
            return HttpCatalog(self.directory)
        return self.loop.run_until_complete(self.on_etcd(self.cluster))

    async def on_etcd(self, cluster: EtcdCluster) -> HttpCatalog:
        return HttpCatalog(self.directory, open_store(cluster.address(self.root)))

    def teardown(self) -> None:
        self.loop.run_until_complete(self.lake.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.directory)

    def call(self, method: str, path: str, body: Any = None, key: str | None = None) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.loop.run_until_complete(self.lake.call(method, path, body, headers=headers))

    def ask(self, expected: int, method: str, path: str, body: Any = None) -> httpx.Response:
        key = new_uuid()
        response = self.call(method, path, body, key)
        assert response.status_code == expected, response.text
        self.sent.append(Sent(key, method, path, body, response.status_code, response.content))
        return response

    def appended(self, name: Name) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The requirements and updates of an append, and the append itself made in the model."""
        table = self.tables[name]
        self.snapshot_id += 1
        requirements = [main_at(table.current)]
        updates = append(self.snapshot_id, len(table.snapshots) + 1, table.current)
        table.snapshots.append(self.snapshot_id)
        return requirements, updates

    def taken(self, name: Name) -> bool:
        return name in self.tables or name in self.views

    def on_creation(self, name: Name) -> int:
        return 404 if name[0] not in self.namespaces else 409 if self.taken(name) else 200

    def renamed(self, origin: Name, to: Name, path: str, *, there: bool) -> bool:
        missing = not there or to[0] not in self.namespaces
        taken = self.taken(to) and to != origin
        self.ask(404 if missing else 409 if taken else 204, "POST", path, renaming(origin, to))
        return not missing and not taken

    @rule(name=NAMESPACES)
    def create_namespace(self, name: str) -> None:
        self.ask(409 if name in self.namespaces else 200, "POST", "/namespaces", {"namespace": [name]})
        self.namespaces.setdefault(name, {})

    @rule(name=NAMESPACES, key=st.sampled_from("xy"), value=st.sampled_from("12"), removed=st.sampled_from("yz"))
    def change_properties(self, name: str, key: str, value: str, removed: str) -> None:
        there, contradiction = name in self.namespaces, key == removed
        body = {"updates": {key: value}, "removals": [removed]}
        expected = 422 if contradiction else 200 if there else 404
        self.ask(expected, "POST", f"{path_of(name)}/properties", body)
        if expected == 200:
            self.namespaces[name][key] = value
            self.namespaces[name].pop(removed, None)

    @rule(name=NAMESPACES)
    def drop_namespace(self, name: str) -> None:
        used = any(namespace == name for namespace, _ in (*self.tables, *self.views))
        self.ask(404 if name not in self.namespaces else 409 if used else 204, "DELETE", path_of(name))
        if not used:
            self.namespaces.pop(name, None)

    @rule(name=TABLES)
    def create_table(self, name: Name) -> None:
        expected = self.on_creation(name)
        answer = self.ask(expected, "POST", f"{path_of(name[0])}/tables", {"name": name[1], "schema": SCHEMA})
        if expected == 200:
            self.tables[name] = ModelTable(location_in(answer))

    @rule(name=TABLES, purge=st.booleans())
    def drop_table(self, name: Name, *, purge: bool) -> None:
        path = f"{table_path(name[1], name[0])}?purgeRequested={str(purge).lower()}"
        self.ask(204 if name in self.tables else 404, "DELETE", path)
        dropped = self.tables.pop(name, None)
        if dropped and purge:
            # Where one table is gone with all its files, so are those of one that was there before it.
            self.forgotten = [one for one in self.forgotten if one.table.location != dropped.location]

    @rule(name=TABLES)
    def unregister_table(self, name: Name) -> None:
        there = name in self.tables
        answer = self.ask(200 if there else 404, "POST", f"{table_path(name[1], name[0])}/unregister")
        if there:
            self.forgotten.append(Forgotten(answer.json()["metadata-location"], self.tables.pop(name)))

    @precondition(lambda self: self.forgotten)
    @rule(data=st.data(), to=TABLES)
    def register_table(self, data: st.DataObject, to: Name) -> None:
        """Under any name, as long as nobody has taken its place meanwhile."""
        place = data.draw(st.integers(0, len(self.forgotten) - 1))
        found = self.forgotten[place]
        lives = any(one.location == found.table.location for one in (*self.tables.values(), *self.views.values()))
        expected = self.on_creation(to)
        expected = 400 if lives and expected == 200 else expected
        body = {"name": to[1], "metadata-location": found.metadata_location}
        self.ask(expected, "POST", f"{path_of(to[0])}/register", body)
        if expected == 200:
            self.tables[to] = self.forgotten.pop(place).table

    @rule(origin=TABLES, to=TABLES)
    def rename_table(self, origin: Name, to: Name) -> None:
        if self.renamed(origin, to, "/tables/rename", there=origin in self.tables):
            self.tables[to] = self.tables.pop(origin)

    @rule(name=TABLES)
    def create_view(self, name: Name) -> None:
        expected = self.on_creation(name)
        answer = self.ask(expected, "POST", f"{path_of(name[0])}/views", new_view(name[1]))
        if expected == 200:
            self.views[name] = ModelView(location_in(answer), "SELECT 1")

    @rule(name=TABLES, query=st.sampled_from(["SELECT 1", "SELECT 2", "SELECT 3"]))
    def replace_view(self, name: Name, query: str) -> None:
        body = commit(*replacement(query))
        self.ask(200 if name in self.views else 404, "POST", view_path(name[1], name[0]), body)
        if name in self.views:
            self.views[name] = replace(self.views[name], query=query)

    @rule(name=TABLES)
    def drop_view(self, name: Name) -> None:
        self.ask(204 if name in self.views else 404, "DELETE", view_path(name[1], name[0]))
        self.views.pop(name, None)

    @rule(origin=TABLES, to=TABLES)
    def rename_view(self, origin: Name, to: Name) -> None:
        if self.renamed(origin, to, "/views/rename", there=origin in self.views):
            self.views[to] = self.views.pop(origin)

    @rule(name=TABLES, key=st.sampled_from("xyz"), value=st.sampled_from("12"))
    def set_property(self, name: Name, key: str, value: str) -> None:
        body = commit(set_properties(**{key: value}))
        self.ask(200 if name in self.tables else 404, "POST", table_path(name[1], name[0]), body)
        if name in self.tables:
            self.tables[name].properties[key] = value

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def append(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.tables)))
        requirements, updates = self.appended(name)
        self.ask(200, "POST", table_path(name[1], name[0]), commit(*updates, requirements=requirements))

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), wrong=st.integers(10_000, 10_005))
    def append_to_a_version_that_is_gone(self, data: st.DataObject, wrong: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.tables)))
        body = commit(*append(wrong, 1000), requirements=[main_at(wrong + 1)])
        self.ask(409, "POST", table_path(name[1], name[0]), body)

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), new=TABLES, stale=st.booleans())
    def transaction(self, data: st.DataObject, new: Name, *, stale: bool) -> None:
        """Appends to some tables and the creation of another: all of it, or none."""
        names = data.draw(st.lists(st.sampled_from(sorted(self.tables)), min_size=1, unique=True))
        before = {name: list(self.tables[name].snapshots) for name in names}
        changes: list[dict[str, Any]] = []
        for name in names:
            requirements, updates = self.appended(name)
            changes.append(change(name[1], *updates, requirements=requirements, namespace=[name[0]]))
        creates = not self.taken(new) and new[0] in self.namespaces
        if creates:
            assert_create = {"type": "assert-create"}
            changes.append(change(new[1], *creation(), requirements=[assert_create], namespace=[new[0]]))
        if stale:
            changes[0]["requirements"] = [main_at(99_999)]
        self.ask(409 if stale else 204, "POST", "/transactions/commit", {"table-changes": changes})
        if stale:
            for name, snapshots in before.items():
                self.tables[name].snapshots = snapshots
        elif creates:
            self.tables[new] = ModelTable(location_in(self.call("GET", table_path(new[1], new[0]))))

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        sent = data.draw(st.sampled_from(self.sent[-8:]))
        response = self.call(sent.method, sent.path, sent.body, sent.key)
        if response.status_code == 404 and "it was purged since" in response.text:
            return
        assert (response.status_code, response.content) == (sent.status, sent.content)

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), name=NAMESPACES)
    def send_something_else(self, data: st.DataObject, name: str) -> None:
        sent = data.draw(st.sampled_from(self.sent[-8:]))
        response = self.call("POST", "/namespaces", {"namespace": [name, "else"]}, sent.key)
        assert response.status_code == 422, response.text

    @rule()
    def restart(self) -> None:
        self.loop.run_until_complete(self.lake.close())
        self.lake = self.opened()

    @invariant()
    def agree(self) -> None:
        listed = self.call("GET", "/namespaces").json()["namespaces"]
        assert listed == [[name] for name in sorted(self.namespaces)]
        for namespace, properties in self.namespaces.items():
            default = {"location": f"{self.lake.url}/{path_segment(namespace)}"}
            assert self.call("GET", path_of(namespace)).json()["properties"] == default | properties
            found = self.call("GET", f"{path_of(namespace)}/tables").json()["identifiers"]
            assert [table["name"] for table in found] == sorted(name for ns, name in self.tables if ns == namespace)
        for name, table in self.tables.items():
            metadata = self.call("GET", table_path(name[1], name[0])).json()["metadata"]
            assert [snapshot["snapshot-id"] for snapshot in metadata["snapshots"]] == table.snapshots
            assert metadata["current-snapshot-id"] == (table.current or -1)
            assert table.properties.items() <= metadata["properties"].items()

    @invariant()
    def agree_on_views(self) -> None:
        for namespace in self.namespaces:
            found = self.call("GET", f"{path_of(namespace)}/views").json()["identifiers"]
            assert [view["name"] for view in found] == sorted(name for ns, name in self.views if ns == namespace)
        for name, view in self.views.items():
            metadata = self.call("GET", view_path(name[1], name[0])).json()["metadata"]
            current = metadata["current-version-id"]
            assert metadata["version-log"][-1]["version-id"] == current
            (version,) = [version for version in metadata["versions"] if version["version-id"] == current]
            assert version["representations"][0]["sql"] == view.query

    @invariant()
    def no_two_places_overlap(self) -> None:
        paths = [table_path(name[1], name[0]) for name in self.tables]
        paths += [view_path(name[1], name[0]) for name in self.views]
        places = [self.call("GET", path).json()["metadata"]["location"] + "/" for path in paths]
        assert not any(a is not b and a.startswith(b) for a in places for b in places)


def location_in(answer: httpx.Response) -> str:
    return answer.json()["metadata"]["location"]


def test_on_sqlite_it_agrees_with_the_model() -> None:
    run_state_machine_as_test(CatalogModel, settings=settings(max_examples=30, stateful_step_count=30))


def test_on_etcd_it_agrees_with_the_model(etcd: EtcdCluster) -> None:
    class OnEtcd(CatalogModel):
        cluster = etcd

    run_state_machine_as_test(OnEtcd, settings=settings(max_examples=15, stateful_step_count=30))
