"""A SELECT and its answer: what fits is sent whole with what is known at its end, and the rest as it comes."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

from boathouse.stack.embedded_clickhouse.answers import ClientGone
from boathouse.stack.embedded_clickhouse.asked import Asked
from boathouse.stack.embedded_clickhouse.engine import Outcome
from boathouse.stack.embedded_clickhouse.errors import cancelled
from boathouse.stack.embedded_clickhouse.results import Result
from boathouse.stack.embedded_clickhouse.sql_text import Statement
from boathouse.stack.embedded_clickhouse.threads import EngineThreads

# As much of a result is kept back as a server keeps back: an error before that is still told by a status.
_KEPT_BACK = 1 << 20
_KEPT_IN_MEMORY = 8 << 20


async def select(asked: Asked, statement: Statement, threads: EngineThreads, scratch: Path) -> Outcome:
    progress = dict[str, int]()
    if asked.question.tells_progress:
        asked.held.connection.tell_progress_to(progress)
    result = await Result.begin(asked.held.connection, statement, asked.question, threads.queries)
    asked.running.on_kill = result.let_go
    watching = asyncio.create_task(_stop_with_client(asked, result, threads))
    try:
        return await _pass_on(asked, result, statement.format or asked.question.default_format, progress, scratch)
    finally:
        asked.running.on_kill = None
        watching.cancel()
        result.let_go()
        await threads.stop(asked.running.query_id, result.query)
        if asked.question.tells_progress:
            asked.held.connection.tell_progress_to_nobody()


async def _pass_on(asked: Asked, result: Result, output: str, progress: dict[str, int], scratch: Path) -> Outcome:
    answer, pieces = asked.arrived.answer, result.pieces()
    with tempfile.SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY, dir=str(scratch)) as kept:
        async for piece in pieces:
            kept.write(piece)
            if not asked.question.waits and kept.tell() >= _KEPT_BACK:
                await answer.begin(output, _so_far(progress))
                break
        if not answer.started:
            outcome = await _ended(asked, result)
            if kept.tell() <= _KEPT_IN_MEMORY:
                kept.seek(0)
                await answer.whole(kept.read(), output, outcome)
                return outcome
            await answer.begin(output, outcome)
        kept.seek(0)
        while piece := kept.read(_KEPT_BACK):
            await _to_client(asked, piece)
    await _rest(asked, pieces)
    outcome = await _ended(asked, result)
    await answer.end()
    return outcome


def _so_far(progress: dict[str, int]) -> Outcome:
    told = ("read_rows", "read_bytes", "result_rows", "result_bytes", "elapsed_ns")
    return Outcome(total_rows=progress.get("total_rows_to_read", 0), **{name: progress.get(name, 0) for name in told})


async def _rest(asked: Asked, pieces: AsyncGenerator[bytes]) -> None:
    async for piece in pieces:
        await _to_client(asked, piece)


async def _to_client(asked: Asked, piece: bytes) -> None:
    if asked.arrived.gone.is_set():
        raise ClientGone
    await asked.arrived.answer.piece(piece)


async def _ended(asked: Asked, result: Result) -> Outcome:
    outcome = await result.query
    if asked.running.killed:
        # The engine may have ended well, for all it knows: what it wrote was no longer read.
        raise cancelled()
    return outcome


async def _stop_with_client(asked: Asked, result: Result, threads: EngineThreads) -> None:
    """Stop a query that nobody waits for, if its client has asked for that."""
    await asked.arrived.gone.wait()
    if asked.question.cancelled_with_client:
        asked.running.kill()
        await threads.stop(asked.running.query_id, result.query)
