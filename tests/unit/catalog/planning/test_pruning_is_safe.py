"""Whatever the table and the filter: no row that passes is left out, and what is left to test is what was asked."""

from typing import Any

from hypothesis import HealthCheck, given, settings

from boathouse.catalog.planning.planner import Planner
from boathouse.catalog.planning.requests import ScanRequest
from tests.unit.catalog.planning.rows_and_files import Case, Json, cases, filters, holds, metadata_of

_RELAXED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much]


def planned(case: Case, found: Json) -> dict[str, Any]:
    """By path, what is left to test on the rows of each file that is to be read."""
    files: dict[str, bytes] = {}

    def write(name: str, content: bytes) -> str:
        files[name] = content
        return name

    metadata = metadata_of(case, write)
    plan, _ = Planner(metadata, ScanRequest(filter=found, snapshot_id=1), files.__getitem__).whole()
    return {task["data-file"]["file-path"]: task["residual-filter"] for task in plan["file-scan-tasks"]}


@settings(max_examples=200, suppress_health_check=_RELAXED)
@given(case=cases(), found=filters())
def test_every_row_that_passes_is_found(case: Case, found: Json) -> None:
    plan = planned(case, found)
    for path, rows in case.files.items():
        passing = [row for row in rows if holds(found, row)]
        assert path in plan or not passing, f"{path} is left out: {passing}"
        if path in plan:
            assert [row for row in rows if holds(plan[path], row)] == passing
