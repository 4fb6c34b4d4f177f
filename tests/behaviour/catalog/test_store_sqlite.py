"""What only the SQLite form has to show: that it cannot be opened in vain, and how it shares its flushes."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from boathouse.catalog.store import Absent, Put, open_store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import ConfigurationError, Unavailable


async def test_two_servers_may_share_the_file(tmp_path: Path) -> None:
    one, other = SqliteStore(tmp_path / "s.db"), SqliteStore(tmp_path / "s.db")
    assert await one.commit([Absent("k")], [Put("k", b"1")])
    assert not await other.commit([Absent("k")], [Put("k", b"2")])
    found = await other.read("k")
    assert found is not None
    assert found.value == b"1"
    await asyncio.gather(one.close(), other.close())


async def test_waiting_commits_share_a_transaction(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    statements: list[str] = []
    store._writes.set_trace_callback(statements.append)
    await asyncio.gather(*(store.commit([], [Put(f"k/{i}", b"")]) for i in range(100)))
    assert statements.count("COMMIT") < 50
    await store.close()


async def test_a_commit_that_cannot_be_stored_harms_no_later_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    with pytest.raises(Unavailable):
        await store.commit([], [Put("\ud800", b"")])
    assert await store.commit([], [Put("k", b"")])
    await store.close()


async def test_commits_are_flushed_to_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    full = 2
    assert store._writes.execute("PRAGMA synchronous").fetchone() == (full,)
    assert store._writes.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    await store.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.db").write_bytes(b"this is not SQLite at all, and it is longer than a header")
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        SqliteStore(tmp_path / "s.db")


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        SqliteStore(tmp_path / "file" / "s.db")


@pytest.mark.parametrize("address", ["", "sqlite:///", "sqlite://x", "/tmp/x"])
def test_an_address_of_no_store_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match="not the address of a store"):
        open_store(address)


async def test_an_address_names_its_file(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/deep/er/s.db")
    await store.commit([], [Put("k", b"v")])
    await store.close()
    connection = sqlite3.connect(tmp_path / "deep" / "er" / "s.db")
    assert connection.execute("SELECT key FROM entry").fetchall() == [("k",)]
    connection.close()
