"""What a run's process says, as the worker hears it."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from typing import Any

import pytest

from boathouse.control.jobs.touched import Touched
from boathouse.control.worker.assignment import Said
from boathouse.control.worker.process import RunnerProcess


async def process(code: str) -> RunnerProcess:
    return RunnerProcess(await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=PIPE, stderr=PIPE))


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ({"error": "a\0b", "ended": True}, {"error": "a\ufffdb", "ended": True}),
        ({"log": (1, "out", "a\0b")}, {"log": (1, "out", "a\ufffdb")}),
        ({"result": {"columns": [{"name": "a\0b"}]}}, {"result": {"columns": [{"name": "a\ufffdb"}]}}),
        ({"report": {"a\0b": [1, None, 0.5, True]}}, {"report": {"a\ufffdb": [1, None, 0.5, True]}}),
        ({"progress": {"stream": {"alerts": ["a\0b"]}}}, {"progress": {"stream": {"alerts": ["a\ufffdb"]}}}),
        (
            {"touched": Touched(reads=frozenset({"a\0b"}))},
            {"touched": Touched(reads=frozenset({"a\ufffdb"}))},
        ),
        # No NUL, but what one looks like in JSON.
        ({"error": "a\\u0000b"}, {"error": "a\\u0000b"}),
    ],
)
async def test_what_is_heard_holds_nothing_that_a_database_cannot_keep(said: Any, heard: Any) -> None:
    runner = await process(f"print({Said(**said).model_dump_json()!r})")
    assert await runner.hear() == Said(**heard)
    assert await runner.hear() is None
    await runner.kill()


async def test_nor_does_what_is_printed_beside() -> None:
    runner = await process("import sys; sys.stderr.write('a\\0b')")
    assert [text async for text in runner.complaints()] == ["a\ufffdb"]
    await runner.kill()


async def test_a_complaint_too_long_to_hold_is_left_out_and_those_after_it_are_heard() -> None:
    runner = await process("import sys; sys.stderr.write('a' * 1_000_000 + '\\nafter\\n')")
    assert [text async for text in runner.complaints()][-1] == "after"
    await runner.kill()
