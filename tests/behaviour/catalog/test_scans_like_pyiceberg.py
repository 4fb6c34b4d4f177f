"""Plans beside those that pyiceberg makes of the same table."""

from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
from hypothesis import HealthCheck, given, reject, settings
from pyiceberg.expressions import BooleanExpression
from pyiceberg.table import StaticTable

from boathouse.catalog.planning.planner import Planner
from boathouse.catalog.planning.requests import ScanRequest
from tests.unit.catalog.planning.rows_and_files import Case, Json, cases, filters, metadata_of

_RELAXED = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@settings(max_examples=100, suppress_health_check=_RELAXED)
@given(case=cases(), found=filters())
def test_no_file_is_read_that_pyiceberg_leaves_out(case: Case, found: Json) -> None:
    """But for floating numbers, where it takes no row to hold NaN."""
    with TemporaryDirectory() as directory:
        metadata = metadata_of(case, lambda name, content: _written(Path(directory) / name, content))
        location = _written(Path(directory) / "v1.metadata.json", orjson.dumps(metadata))
        theirs = _planned_by_pyiceberg(location, found)
        plan, _ = Planner(
            metadata, ScanRequest(filter=found, snapshot_id=1), lambda path: Path(path).read_bytes()
        ).whole()
    ours = {task["data-file"]["file-path"] for task in plan["file-scan-tasks"]}
    assert ours <= theirs or b'"ratio"' in orjson.dumps(found)


def _planned_by_pyiceberg(location: str, found: Json) -> set[str]:
    scan = StaticTable.from_metadata(location).scan(row_filter=BooleanExpression.model_validate(found))
    try:
        return {task.file.file_path for task in scan.plan_files()}
    except TypeError:  # it cannot compare a null partition
        reject()


def _written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)
