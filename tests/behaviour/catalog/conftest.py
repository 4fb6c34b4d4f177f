"""An empty catalog for each test."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.behaviour.catalog.http_catalog import HttpCatalog


@pytest.fixture
async def lake(tmp_path: Path) -> AsyncGenerator[HttpCatalog]:
    lake = HttpCatalog(tmp_path)
    yield lake
    await lake.close()
