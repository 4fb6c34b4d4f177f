"""What every SQLite database of ours begins with."""

import sqlite3
import time
from collections.abc import Callable

_PAUSE = 0.01


def use_write_ahead_log(execute: Callable[[str], object], *, patience: float) -> None:
    """Readers then never wait for a writer. SQLite does not wait its turn for this one change, so it is tried again."""
    give_up = time.monotonic() + patience
    while True:
        try:
            execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(_PAUSE)
        else:
            return
