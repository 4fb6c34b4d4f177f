"""What only the SQLite form has to show: that it cannot be opened in vain, and how it shares its flushes."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from boathouse.catalog.store import Absent, Put, open_store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import ConfigurationError, NotFound, Unavailable


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


async def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    older = sqlite3.connect(path)
    older.execute("PRAGMA journal_mode = WAL")
    older.execute("CREATE TABLE x (y)")
    path.chmod(0o644)
    store = SqliteStore(path)
    await store.commit([], [Put("access/signing-keys", b"secret")])
    for name in ("s.db", "s.db-wal", "s.db-shm"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600, name
    await store.close()
    older.close()
    await SqliteStore(tmp_path / "new.db").close()
    assert (tmp_path / "new.db").stat().st_mode & 0o777 == 0o600


def test_one_that_is_not_there_is_made_only_when_told_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no store at"):
        open_store(f"sqlite:///{tmp_path}/deep/s.db", create=False)
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_was_taken_away_is_not_written_any_more(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.check()
    assert (await store.health()).reachable
    (tmp_path / "s.db").rename(tmp_path / "elsewhere.db")
    for work in (store.check(), store.commit([], [Put("k", b"")])):
        with pytest.raises(Unavailable, match="gone or was replaced"):
            await work
    assert not (await store.health()).reachable
    (tmp_path / "elsewhere.db").rename(tmp_path / "s.db")
    assert await store.commit([], [Put("k", b"")])
    await store.close()
