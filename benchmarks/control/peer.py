"""What the same framework, library and database do with a list when nobody has taken pains: no login, no log, no audit.

Run as `python -m benchmarks.control.peer PORT DATABASE`. Its speed tells the machine's, so that figures of two days can be compared.
"""

import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from benchmarks.plain_http import PlainClient
from boathouse.control.database.database import async_url
from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import RunTold
from tests.integration.catalog_process import free_port


def app_on(database: str) -> FastAPI:
    engine = create_async_engine(async_url(database))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        await engine.dispose()

    app = FastAPI(lifespan=lifespan)

    @app.get("/nothing")
    async def nothing() -> dict[str, Any]:  # pyright: ignore[reportUnusedFunction]
        return {}

    @app.get("/runs")
    async def runs(limit: int = 100) -> list[RunTold]:  # pyright: ignore[reportUnusedFunction]
        async with AsyncSession(engine) as session:
            found = await session.scalars(select(Run).order_by(Run.id.desc()).limit(limit))
            return [RunTold.model_validate(run, from_attributes=True) for run in found]

    return app


@contextmanager
def peer_on(database: str) -> Generator[tuple[PlainClient, int]]:
    """A client of it, and the id of its process."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.control.peer", str(port), database])
    try:
        yield _client(port), process.pid
    finally:
        process.terminate()
        process.wait(timeout=30)


def _client(port: int) -> PlainClient:
    for _ in range(300):
        try:
            return PlainClient(f"http://127.0.0.1:{port}", {})
        except OSError:
            time.sleep(0.1)
    sys.exit("The peer did not start.")


if __name__ == "__main__":
    uvicorn.run(app_on(sys.argv[2]), port=int(sys.argv[1]), log_level="warning", access_log=False)
