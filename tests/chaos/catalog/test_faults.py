"""Whatever breaks, in whatever order: no commit is lost or done twice, and nobody reads what is not so.

A failure says how to repeat it, and where its history is kept. CHAOS_SECONDS makes the runs longer,
CHAOS_SEED chooses their faults and has the history kept in any case.
"""

import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.chaos.catalog.checker import broken_promises
from tests.chaos.catalog.deployments import Deployment, replicated, single
from tests.chaos.catalog.experiment import TABLES, experiment
from tests.chaos.catalog.history import History, Outcome
from tests.chaos.chance import SECONDS, SEED, to_repeat

Open = Callable[[Path, random.Random], AbstractAsyncContextManager[Deployment]]


@pytest.mark.timeout(SECONDS * 4 + 600)
@pytest.mark.parametrize("deployed", [single, replicated])
async def test_every_promise_is_kept_while_everything_breaks(
    deployed: Open, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    repeat = to_repeat(request.node.nodeid)
    print(repeat)  # noqa: T201 - pytest shows it when anything below fails
    async with deployed(tmp_path, random.Random(f"{SEED} storage")) as deployment:
        history = await experiment(deployment, SEED, SECONDS)
    print(summary(history))  # noqa: T201 - likewise
    broken = broken_promises(history)
    # Not below tmp_path: pytest empties that after a few runs.
    kept = Path(tempfile.gettempdir()) / f"boathouse-chaos-{SEED}-{request.node.callspec.id}.jsonl"
    if broken or "CHAOS_SEED" in os.environ:
        history.keep(kept)
    assert not broken, "\n".join([*broken[:20], repeat, f"history: {kept}"])
    assert {fault.name for fault in history.faults} == {way.name for way in deployment.ways}
    assert {table for commit in history.commits if commit.outcome is Outcome.APPLIED for table in commit.tables} == {
        *TABLES
    }


def summary(history: History) -> str:
    outcomes = Counter(commit.outcome.value for commit in history.commits)
    retried = sum(len(commit.told) > 1 for commit in history.commits)
    longest = max(len(versions) for versions in history.versions.values())
    return (
        f"{len(history.commits)} commits {dict(outcomes)}, {retried} of them sent again; {len(history.reads)} reads;"
        f" {len(history.faults)} faults; up to {longest} versions of a table"
    )
