"""The store against a dictionary: whatever is done to both, they stay the same."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from boathouse.catalog.store import (
    Absent,
    Comparison,
    Delete,
    Empty,
    Entry,
    Present,
    Put,
    Store,
    Unchanged,
    Write,
    open_store,
)
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.ids import new_uuid
from tests.etcd_cluster import EtcdCluster

KEYS = st.sampled_from(["a", "a/1", "a/2", "a/1/x", "b", "b/1", "\x1f", "ü"])
PREFIXES = st.sampled_from(["", "a", "a/", "a/1", "b/", "c"])
WRITES = st.lists(
    st.one_of(st.builds(Put, KEYS, st.binary(max_size=4)), st.builds(Delete, KEYS)),
    max_size=4,
    unique_by=lambda w: w.key,
)
COMPARISONS = st.lists(
    st.one_of(
        st.builds(Absent, KEYS),
        st.builds(Present, KEYS),
        st.builds(Empty, PREFIXES),
        st.builds(Unchanged, KEYS, st.just(-1)),
    ),
    max_size=3,
)


class StoreModel(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.store = self.open()
        self.model: dict[str, tuple[bytes, int]] = {}
        self.revisions: dict[int, int] = {0: 0}
        """The store's own for each commit that left something behind: later ones are higher, and none changes."""
        self.commits = 0

    def open(self) -> Store:
        raise NotImplementedError

    def teardown(self) -> None:
        self.loop.run_until_complete(self.store.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()

    def holds(self, comparison: Comparison) -> bool:
        match comparison:
            case Absent(key):
                return key not in self.model
            case Present(key):
                return key in self.model
            case Empty(prefix):
                return not any(key.startswith(prefix) for key in self.model)
            case Unchanged(key, revision):
                return key in self.model and self.revisions.get(self.model[key][1]) == revision

    def expect(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        if not all(self.holds(comparison) for comparison in comparisons):
            return False
        self.commits += 1
        for write in writes:
            if isinstance(write, Put):
                self.model[write.key] = (write.value, self.commits)
            else:
                self.model.pop(write.key, None)
        return True

    @rule(comparisons=COMPARISONS, writes=WRITES, keys=st.sets(KEYS))
    def commit(self, comparisons: list[Comparison], writes: list[Write], keys: set[str]) -> None:
        unchanged = [Unchanged(key, self.revisions[self.model[key][1]]) for key in keys if key in self.model]
        expected = self.expect([*comparisons, *unchanged], writes)
        assert self.loop.run_until_complete(self.store.commit([*comparisons, *unchanged], writes)) is expected

    @rule()
    def reopen(self) -> None:
        self.loop.run_until_complete(self.store.close())
        self.store = self.open()

    @rule(prefix=PREFIXES, after=st.one_of(st.just(""), KEYS), limit=st.integers(1, 4))
    def list_page(self, prefix: str, after: str, limit: int) -> None:
        found = self.loop.run_until_complete(self.store.list(prefix, after=after, limit=limit))
        wanted = sorted(key for key in self.model if key.startswith(prefix) and key > after)
        assert found == [self.entry(key) for key in wanted[:limit]]
        assert self.loop.run_until_complete(self.store.keys(prefix, after=after, limit=limit)) == wanted[:limit]

    @invariant()
    def holds_the_same(self) -> None:
        found = self.loop.run_until_complete(self.store.list("", limit=100))
        for entry in found:
            self.revisions.setdefault(self.model[entry.key][1], entry.revision)
        assert found == [self.entry(key) for key in sorted(self.model)]
        assert [self.revisions[commit] for commit in sorted(self.revisions)] == sorted(set(self.revisions.values()))

    def entry(self, key: str) -> Entry:
        value, commit = self.model[key]
        return Entry(key, value, self.revisions[commit])


class SqliteModel(StoreModel):
    def open(self) -> Store:
        if not hasattr(self, "directory"):
            self.directory = tempfile.TemporaryDirectory()
        return SqliteStore(Path(self.directory.name) / "state.db")

    def teardown(self) -> None:
        super().teardown()
        self.directory.cleanup()

    @rule(batch=st.lists(st.tuples(COMPARISONS, WRITES), min_size=2, max_size=5))
    def commit_together(self, batch: list[tuple[list[Comparison], list[Write]]]) -> None:
        """Commits that wait together are decided in the order they came."""

        async def together() -> list[bool]:
            return await asyncio.gather(*(self.store.commit(comparisons, writes) for comparisons, writes in batch))

        expected = [self.expect(comparisons, writes) for comparisons, writes in batch]
        assert self.loop.run_until_complete(together()) == expected


class EtcdModel(StoreModel):
    cluster: ClassVar[EtcdCluster]

    def open(self) -> Store:
        if not hasattr(self, "address"):
            self.address = self.cluster.address(new_uuid())
        return open_store(self.address)


@pytest.fixture
def etcd_model(etcd: EtcdCluster) -> type[EtcdModel]:
    EtcdModel.cluster = etcd
    return EtcdModel


def test_sqlite_holds_what_a_dictionary_would() -> None:
    run_state_machine_as_test(SqliteModel, settings=settings(max_examples=40, stateful_step_count=25))


def test_etcd_holds_what_a_dictionary_would(etcd_model: type[EtcdModel]) -> None:
    run_state_machine_as_test(etcd_model, settings=settings(max_examples=25, stateful_step_count=20))
