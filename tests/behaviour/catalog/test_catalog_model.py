"""The catalog against a small model: whatever is asked of both, in whatever order and however often, they agree.

The model is a set of namespaces and a dictionary of tables, each a list of appended snapshots and its properties.
Requests may be sent again under their idempotency key, and must then be answered alike and change nothing.
"""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    HttpCatalog,
    append,
    change,
    commit,
    creation,
    main_at,
    path_of,
    set_properties,
    table_path,
)

NAMESPACES = st.sampled_from(["a", "b", "c/d"])
TABLES = st.tuples(NAMESPACES, st.sampled_from(["t", "u", "v w"]))
Name = tuple[str, str]


@dataclass
class ModelTable:
    snapshots: list[int] = field(default_factory=list[int])
    properties: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def current(self) -> int | None:
        return self.snapshots[-1] if self.snapshots else None


@dataclass(frozen=True)
class Sent:
    key: str
    method: str
    path: str
    body: Any
    status: int
    content: bytes


class CatalogModel(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp())
        self.loop = asyncio.new_event_loop()
        self.lake = HttpCatalog(self.directory)
        self.namespaces: set[str] = set()
        self.tables: dict[Name, ModelTable] = {}
        self.snapshot_id = 0
        self.sent: list[Sent] = []

    def teardown(self) -> None:
        self.loop.run_until_complete(self.lake.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.directory)

    def call(self, method: str, path: str, body: Any = None, key: str | None = None) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.loop.run_until_complete(self.lake.call(method, path, body, headers=headers))

    def ask(self, expected: int, method: str, path: str, body: Any = None) -> None:
        key = new_uuid()
        response = self.call(method, path, body, key)
        assert response.status_code == expected, response.text
        self.sent.append(Sent(key, method, path, body, response.status_code, response.content))

    def appended(self, name: Name) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The requirements and updates of an append, and the append itself made in the model."""
        table = self.tables[name]
        self.snapshot_id += 1
        requirements = [main_at(table.current)]
        updates = append(self.snapshot_id, len(table.snapshots) + 1, table.current)
        table.snapshots.append(self.snapshot_id)
        return requirements, updates

    @rule(name=NAMESPACES)
    def create_namespace(self, name: str) -> None:
        self.ask(409 if name in self.namespaces else 200, "POST", "/namespaces", {"namespace": [name]})
        self.namespaces.add(name)

    @rule(name=NAMESPACES)
    def drop_namespace(self, name: str) -> None:
        used = any(namespace == name for namespace, _ in self.tables)
        self.ask(404 if name not in self.namespaces else 409 if used else 204, "DELETE", path_of(name))
        if not used:
            self.namespaces.discard(name)

    @rule(name=TABLES)
    def create_table(self, name: Name) -> None:
        expected = 404 if name[0] not in self.namespaces else 409 if name in self.tables else 200
        self.ask(expected, "POST", f"{path_of(name[0])}/tables", {"name": name[1], "schema": SCHEMA})
        if expected == 200:
            self.tables[name] = ModelTable()

    @rule(name=TABLES, purge=st.booleans())
    def drop_table(self, name: Name, *, purge: bool) -> None:
        path = f"{table_path(name[1], name[0])}?purgeRequested={str(purge).lower()}"
        self.ask(204 if name in self.tables else 404, "DELETE", path)
        self.tables.pop(name, None)

    @rule(origin=TABLES, to=TABLES)
    def rename_table(self, origin: Name, to: Name) -> None:
        body = {
            "source": {"namespace": [origin[0]], "name": origin[1]},
            "destination": {"namespace": [to[0]], "name": to[1]},
        }
        missing = origin not in self.tables or to[0] not in self.namespaces
        taken = to in self.tables and to != origin
        self.ask(404 if missing else 409 if taken else 204, "POST", "/tables/rename", body)
        if not missing and not taken:
            self.tables[to] = self.tables.pop(origin)

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
        creates = new not in self.tables and new[0] in self.namespaces
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
            self.tables[new] = ModelTable()

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        sent = data.draw(st.sampled_from(self.sent[-8:]))
        response = self.call(sent.method, sent.path, sent.body, sent.key)
        if response.status_code == 404 and "it was purged since" in response.text:
            return
        assert (response.status_code, response.content) == (sent.status, sent.content)

    @rule()
    def restart(self) -> None:
        self.loop.run_until_complete(self.lake.close())
        self.lake = HttpCatalog(self.directory)

    @invariant()
    def agree(self) -> None:
        listed = self.call("GET", "/namespaces").json()["namespaces"]
        assert listed == [[name] for name in sorted(self.namespaces)]
        for namespace in self.namespaces:
            found = self.call("GET", f"{path_of(namespace)}/tables").json()["identifiers"]
            assert [table["name"] for table in found] == sorted(name for ns, name in self.tables if ns == namespace)
        for name, table in self.tables.items():
            metadata = self.call("GET", table_path(name[1], name[0])).json()["metadata"]
            assert [snapshot["snapshot-id"] for snapshot in metadata["snapshots"]] == table.snapshots
            assert metadata["current-snapshot-id"] == (table.current or -1)
            assert table.properties.items() <= metadata["properties"].items()

    @invariant()
    def no_two_tables_overlap(self) -> None:
        places = [
            self.call("GET", table_path(name[1], name[0])).json()["metadata"]["location"] + "/" for name in self.tables
        ]
        assert not any(a is not b and a.startswith(b) for a in places for b in places)


CatalogModel.TestCase.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
TestCatalogModel = CatalogModel.TestCase
