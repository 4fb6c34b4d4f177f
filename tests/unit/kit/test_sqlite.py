import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from boathouse.kit.sqlite import use_write_ahead_log

AT_ONCE = 4


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.05)


def test_several_may_open_a_new_database_at_the_same_moment(tmp_path: Path) -> None:
    """Without a second try about one opening in twenty found the database locked."""
    for attempt in range(20):
        path = tmp_path / f"{attempt}.db"
        together = Barrier(AT_ONCE)
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for opening in [threads.submit(open_and_write, path, together) for _ in range(AT_ONCE)]:
                assert opening.result() == "wal"


def open_and_write(path: Path, together: Barrier) -> str:
    connection = connect(path)
    together.wait()
    use_write_ahead_log(connection.execute, patience=10)
    connection.execute("PRAGMA busy_timeout = 10000")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE IF NOT EXISTS t (a)")
    connection.execute("COMMIT")
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()
    return str(mode)


def test_a_database_that_stays_locked_is_given_up(tmp_path: Path) -> None:
    holder, comer = connect(tmp_path / "a.db"), connect(tmp_path / "a.db")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        use_write_ahead_log(comer.execute, patience=0.05)
    holder.close()
    comer.close()
