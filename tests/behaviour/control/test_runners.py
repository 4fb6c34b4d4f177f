"""The processes that a worker keeps ready."""

import asyncio
import os

import psutil

from boathouse.control.worker.runners import Runners


def processes() -> list[int]:
    own = psutil.Process(os.getpid())
    return [child.pid for child in own.children() if "boathouse.control.worker.runner" in child.cmdline()]


async def test_one_is_kept_ready_however_often_it_is_asked_for() -> None:
    before = set(processes())
    runners = Runners()
    try:
        for _ in range(3):
            runners.warm_up()
            await asyncio.sleep(0.05)
        runner = await runners.take()
        for _ in range(20):
            runners.warm_up()
            await asyncio.sleep(0.25)
        # The one that was taken, and at most one more that waits.
        assert len(set(processes()) - before) <= 2
        await runners.give_back(runner, "sql", whole=True)
        await asyncio.sleep(0.1)
    finally:
        await runners.close()
    assert set(processes()) == before


async def test_one_in_which_a_program_ran_is_not_used_again() -> None:
    runners = Runners()
    try:
        runner = await runners.take()
        await runners.give_back(runner, "spark", whole=True)
        assert not runner.is_alive
        runner = await runners.take()
        await runners.give_back(runner, "sql", whole=False)
        assert not runner.is_alive
    finally:
        await runners.close()
