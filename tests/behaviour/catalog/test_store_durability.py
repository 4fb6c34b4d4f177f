"""What was acknowledged is there after kill -9."""

import subprocess
import sys
from pathlib import Path

import pytest

from boathouse.catalog.store.sqlite import SqliteStore

WRITER = """
import asyncio, sys
from pathlib import Path
from boathouse.catalog.store import Absent, Put
from boathouse.catalog.store.sqlite import SqliteStore

async def write(store, worker):
    for number in range(1_000_000):
        key = f"{worker}/{number:07}"
        assert await store.commit([Absent(key)], [Put(key, key.encode()), Put(f"twin/{key}", key.encode())])
        sys.stdout.write(key + "\\n")
        sys.stdout.flush()

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await asyncio.gather(*(write(store, worker) for worker in "abcd"))

asyncio.run(main())
"""


@pytest.mark.parametrize("acknowledged_before_the_kill", [1, 60, 400])
async def test_acknowledged_commits_survive_a_kill(tmp_path: Path, acknowledged_before_the_kill: int) -> None:
    acknowledged = written_until_killed(tmp_path / "state.db", acknowledged_before_the_kill)
    store = SqliteStore(tmp_path / "state.db")
    assert len(acknowledged) >= acknowledged_before_the_kill
    for key in acknowledged:
        entry, twin = await store.read(key), await store.read(f"twin/{key}")
        assert entry is not None, f"{key} was acknowledged and is lost"
        assert twin is not None, f"half of the commit of {key} is lost"
    await store.close()


def written_until_killed(path: Path, count: int) -> list[str]:
    """The keys whose commits a process acknowledged before it was killed, at the `count`th."""
    acknowledged: list[str] = []
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            acknowledged.append(line.strip())
            if len(acknowledged) == count:
                writer.kill()
    # The last line may have been cut short by the kill.
    return [key for key in acknowledged if len(key) == len("a/0000000")]
