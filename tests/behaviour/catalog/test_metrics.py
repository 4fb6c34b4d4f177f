"""Reports of engines over HTTP: those that can be read are accepted."""

from typing import Any

import pytest

from tests.behaviour.catalog.http_catalog import HttpCatalog, Json, table_path

TIMER: Json = {"time-unit": "nanoseconds", "count": 1, "total-duration": 2644235116}
COUNTER: Json = {"unit": "bytes", "value": 10}
SCAN: Json = {
    "report-type": "scan-report",
    "table-name": "ns.t",
    "snapshot-id": 1,
    "filter": True,
    "schema-id": 0,
    "projected-field-ids": [1],
    "projected-field-names": ["id"],
    "metrics": {"total-planning-duration": TIMER, "total-file-size-in-bytes": COUNTER},
}
COMMIT: Json = {
    "report-type": "commit-report",
    "table-name": "ns.t",
    "snapshot-id": 1,
    "sequence-number": 1,
    "operation": "append",
    "metrics": {},
    "metadata": {"engine-name": "spark"},
}
PATH = f"{table_path('t')}/metrics"


@pytest.fixture(autouse=True)
async def table(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table()


@pytest.mark.parametrize("report", [SCAN, COMMIT, {"report-type": "of-a-newer-kind"}])
async def test_a_report_is_accepted(lake: HttpCatalog, report: Json) -> None:
    assert (await lake.call("POST", PATH, report)).status_code == 204


@pytest.mark.parametrize(
    "report",
    [
        {},
        [],
        {"report-type": 1},
        *({name: value for name, value in SCAN.items() if name != missing} for missing in SCAN),
        *(
            {name: value for name, value in COMMIT.items() if name != missing}
            for missing in COMMIT
            if missing != "metadata"
        ),
        SCAN | {"metrics": {"m": 1}},
        SCAN | {"metrics": {"m": {"unit": "bytes"}}},
        SCAN | {"metrics": {"m": {"time-unit": "ns", "count": "1", "total-duration": 1}}},
        SCAN | {"metadata": {"a": 1}},
    ],
)
async def test_one_that_cannot_be_read_is_refused(lake: HttpCatalog, report: Any) -> None:
    await lake.refused(400, "POST", PATH, report)


async def test_one_about_no_table_is_refused(lake: HttpCatalog) -> None:
    assert (await lake.refused(404, "POST", f"{table_path('u')}/metrics", SCAN))["type"] == "NoSuchTableException"
