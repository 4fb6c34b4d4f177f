"""Whoever changes the same table waits; nobody waits for another's table, nor for ever."""

import asyncio

import pytest

from boathouse.catalog.service.turns import Turns


async def test_changes_to_one_table_follow_each_other() -> None:
    turns, inside = Turns(), list[int]()

    async def change(number: int) -> None:
        async with turns.of(["t"]):
            inside.append(number)
            await asyncio.sleep(0)
            assert inside[-1] == number

    await asyncio.gather(*(change(number) for number in range(20)))
    assert inside == list(range(20))


async def test_another_table_is_not_waited_for() -> None:
    turns = Turns()
    async with turns.of(["a"]), asyncio.timeout(5), turns.of(["b"]):
        pass


async def test_several_tables_are_taken_in_one_order() -> None:
    turns = Turns()

    async def change(*names: str) -> None:
        async with turns.of(names):
            await asyncio.sleep(0)

    async with asyncio.timeout(5):
        await asyncio.gather(*(change("a", "b") if number % 2 else change("b", "a") for number in range(50)))


async def test_a_change_that_fails_or_is_given_up_lets_the_next_one_in() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="no"):
        async with turns.of(["t"]):
            raise ValueError("no")
    async with turns.of(["t"]):
        waiting = asyncio.create_task(turns.of(["t"]).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
    async with asyncio.timeout(5), turns.of(["t"]):
        pass
    assert not len(turns._locks) or not next(iter(turns._locks.values())).locked()
