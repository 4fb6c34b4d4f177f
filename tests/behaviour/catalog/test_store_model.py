"""The store against a dictionary: whatever is done to both, they stay the same."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from boathouse.catalog.store import Absent, Comparison, Delete, Empty, Entry, Present, Put, Unchanged, Write
from boathouse.catalog.store.sqlite import SqliteStore

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
        self.directory = tempfile.TemporaryDirectory()
        self.loop = asyncio.new_event_loop()
        self.store = SqliteStore(Path(self.directory.name) / "state.db")
        self.model: dict[str, tuple[bytes, int]] = {}
        self.commits = 0

    def teardown(self) -> None:
        self.loop.run_until_complete(self.store.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        self.directory.cleanup()

    def holds(self, comparison: Comparison) -> bool:
        match comparison:
            case Absent(key):
                return key not in self.model
            case Present(key):
                return key in self.model
            case Empty(prefix):
                return not any(key.startswith(prefix) for key in self.model)
            case Unchanged(key, revision):
                return key in self.model and self.model[key][1] == revision

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
        unchanged = [Unchanged(key, self.model[key][1]) for key in keys if key in self.model]
        expected = self.expect([*comparisons, *unchanged], writes)
        assert self.loop.run_until_complete(self.store.commit([*comparisons, *unchanged], writes)) is expected

    @rule(batch=st.lists(st.tuples(COMPARISONS, WRITES), min_size=2, max_size=5))
    def commit_together(self, batch: list[tuple[list[Comparison], list[Write]]]) -> None:
        """Commits that wait together are decided in the order they came."""

        async def together() -> list[bool]:
            return await asyncio.gather(*(self.store.commit(comparisons, writes) for comparisons, writes in batch))

        expected = [self.expect(comparisons, writes) for comparisons, writes in batch]
        assert self.loop.run_until_complete(together()) == expected

    @rule()
    def reopen(self) -> None:
        self.loop.run_until_complete(self.store.close())
        self.store = SqliteStore(Path(self.directory.name) / "state.db")

    @rule(prefix=PREFIXES, after=st.one_of(st.just(""), KEYS), limit=st.integers(1, 4))
    def list_page(self, prefix: str, after: str, limit: int) -> None:
        found = self.loop.run_until_complete(self.store.list(prefix, after=after, limit=limit))
        wanted = sorted(key for key in self.model if key.startswith(prefix) and key > after)
        assert found == [Entry(key, *self.model[key]) for key in wanted[:limit]]

    @invariant()
    def holds_the_same(self) -> None:
        found = self.loop.run_until_complete(self.store.list("", limit=100))
        assert found == [Entry(key, *self.model[key]) for key in sorted(self.model)]


StoreModel.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestStoreModel = StoreModel.TestCase
