"""What every form of the store promises. A new form is added to `opened_store` and must pass all of it."""

import asyncio
from collections.abc import Callable

import pytest

from boathouse.catalog.store import Absent, Delete, Empty, Present, Put, Store, Unchanged, as_read
from boathouse.kit.errors import Unavailable


async def put(store: Store, *keys: str) -> None:
    assert await store.commit([], [Put(key, key.encode()) for key in keys])


async def keys(store: Store, prefix: str, *, after: str = "", limit: int = 100) -> list[str]:
    """By both ways of listing, which agree."""
    listed = [entry.key for entry in await store.list(prefix, after=after, limit=limit)]
    assert await store.keys(prefix, after=after, limit=limit) == listed
    return listed


async def test_a_key_that_was_never_written_is_not_there(store: Store) -> None:
    assert await store.read("k") is None


async def test_what_was_committed_is_read(store: Store) -> None:
    await store.commit([], [Put("k", b"v")])
    entry = await store.read("k")
    assert entry is not None
    assert (entry.key, entry.value) == ("k", b"v")


async def test_every_write_gives_the_key_a_new_revision(store: Store) -> None:
    await put(store, "k")
    first = await store.read("k")
    await put(store, "k")
    second = await store.read("k")
    assert first is not None
    assert second is not None
    assert second.revision > first.revision


async def test_a_key_that_was_deleted_and_made_again_is_not_unchanged(store: Store) -> None:
    await put(store, "k")
    first = await store.read("k")
    assert first is not None
    await store.commit([], [Delete("k")])
    await put(store, "k")
    assert not await store.commit([Unchanged("k", first.revision)], [Put("k", b"stale")])


async def test_other_writes_leave_a_revision_alone(store: Store) -> None:
    await put(store, "k")
    before = await store.read("k")
    await put(store, "other")
    assert await store.read("k") == before


@pytest.mark.parametrize(
    ("comparison", "holds"),
    [
        (Absent("nothing"), True),
        (Absent("a/1"), False),
        (Present("a/1"), True),
        (Present("nothing"), False),
        (Empty("b/"), True),
        (Empty("a/"), False),
        (Empty("a/1"), False),
        (Empty("a/11"), True),
        (Unchanged("nothing", 1), False),
    ],
)
async def test_a_comparison_decides_the_commit(
    store: Store, comparison: Absent | Present | Empty, *, holds: bool
) -> None:
    await put(store, "a/1", "a/2")
    assert await store.commit([comparison], [Put("done", b"")]) is holds
    assert (await store.read("done") is not None) is holds


async def test_one_comparison_that_fails_stops_all_the_writes(store: Store) -> None:
    await put(store, "there")
    assert not await store.commit([Absent("free"), Absent("there")], [Put("x", b""), Delete("there")])
    assert await store.read("x") is None
    assert await store.read("there") is not None


async def test_as_read_holds_until_the_key_changes(store: Store) -> None:
    assert await store.commit([as_read("k", None)], [Put("k", b"1")])
    assert not await store.commit([as_read("k", None)], [Put("k", b"2")])
    entry = await store.read("k")
    assert await store.commit([as_read("k", entry)], [Put("k", b"3")])
    assert not await store.commit([as_read("k", entry)], [Put("k", b"4")])


async def test_deleting_what_is_not_there_is_no_error(store: Store) -> None:
    assert await store.commit([], [Delete("nothing")])


async def test_a_list_holds_the_keys_with_the_prefix_in_order(store: Store) -> None:
    await put(store, "b/2", "b/10", "a/1", "b/1", "c/1", "b")
    assert await keys(store, "b/") == ["b/1", "b/10", "b/2"]


async def test_a_list_goes_on_after_the_last_key_of_a_page(store: Store) -> None:
    await put(store, *(f"p/{i:03}" for i in range(25)))
    seen: list[str] = []
    while page := await keys(store, "p/", after=seen[-1] if seen else "", limit=10):
        assert len(page) <= 10
        seen += page
    assert seen == [f"p/{i:03}" for i in range(25)]


@pytest.mark.parametrize("name", ["\x1f", "naïve", "日本", "\U0001f6f6", "a b", "%25", "'; DROP TABLE entry; --"])
async def test_keys_may_hold_any_character(store: Store, name: str) -> None:
    await put(store, f"p/{name}")
    assert await keys(store, "p/") == [f"p/{name}"]
    assert not await store.commit([Empty("p/")], [])


async def test_of_many_rivals_for_one_revision_exactly_one_wins(store: Store) -> None:
    await put(store, "k")
    entry = await store.read("k")
    rivals = [store.commit([as_read("k", entry)], [Put("k", str(i).encode())]) for i in range(50)]
    outcomes = await asyncio.gather(*rivals)
    winner = await store.read("k")
    assert outcomes.count(True) == 1
    assert winner is not None
    assert winner.value == str(outcomes.index(True)).encode()


async def test_counting_by_compare_and_swap_loses_nothing(store: Store) -> None:
    async def count() -> None:
        for _ in range(10):
            while True:
                entry = await store.read("n")
                value = int(entry.value) if entry else 0
                if await store.commit([as_read("n", entry)], [Put("n", str(value + 1).encode())]):
                    break

    await asyncio.gather(*(count() for _ in range(8)))
    entry = await store.read("n")
    assert entry is not None
    assert entry.value == b"80"


async def test_a_caller_who_goes_away_does_not_take_the_commit_along(opened_store: Callable[[], Store]) -> None:
    store = opened_store()
    task = asyncio.create_task(store.commit([], [Put("k", b"v")]))
    await asyncio.sleep(0)
    task.cancel()
    await store.close()
    again = opened_store()
    assert await again.read("k") is not None
    await again.close()


async def test_closing_finishes_what_was_accepted(opened_store: Callable[[], Store]) -> None:
    store = opened_store()
    commits = [asyncio.create_task(store.commit([], [Put(f"k/{i}", b"")])) for i in range(300)]
    await asyncio.sleep(0)
    await store.close()
    assert all(await asyncio.gather(*commits))
    again = opened_store()
    assert len(await keys(again, "k/", limit=1000)) == 300
    await again.close()


async def test_a_closed_store_says_that_nothing_was_done(store: Store) -> None:
    await store.close()
    with pytest.raises(Unavailable):
        await store.commit([], [Put("k", b"")])


async def test_a_cut_shows_one_moment_whatever_is_committed_meanwhile(store: Store) -> None:
    await put(store, *(f"p/{i}" for i in range(5)))
    last = await store.read("p/4")
    async with store.cut() as cut:
        await store.commit([], [Put("p/0", b"changed"), Delete("p/3"), Put("p/9", b"new")])
        first_page = await cut.list("p/", limit=3)
        second_page = await cut.list("p/", after=first_page[-1].key, limit=3)
    assert [entry.key for entry in first_page + second_page] == [f"p/{i}" for i in range(5)]
    assert first_page[0].value == b"p/0"
    assert last is not None
    assert cut.revision >= last.revision
    assert await keys(store, "p/") == ["p/0", "p/1", "p/2", "p/4", "p/9"]


async def test_a_cut_of_nothing_is_empty(store: Store) -> None:
    async with store.cut() as cut:
        assert await cut.list("", limit=10) == []


async def test_of_two_writes_to_one_key_in_a_commit_the_last_remains(store: Store) -> None:
    assert await store.commit([], [Put("a", b"1"), Put("a", b"2"), Put("b", b""), Delete("b")])
    entry = await store.read("a")
    assert entry is not None
    assert entry.value == b"2"
    assert await store.read("b") is None


async def test_a_store_that_is_well_says_who_leads(store: Store) -> None:
    await put(store, "k")
    health = await store.health()
    assert health.leader is not None
    assert health.reachable == health.endpoints
    assert health.leader_changes == 0
