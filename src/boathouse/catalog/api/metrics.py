"""Reports that engines send about their scans and commits. They are checked and not kept."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.api.operations import Operation, on_table, requires
from boathouse.catalog.api.requests import catalog_of, json_of, table_name_of
from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import (
    Json,
    a_long,
    a_string,
    an_int,
    an_object,
    as_object,
    ints,
    string_map,
    strings,
)


async def report_metrics(request: Request) -> Response:
    report = await json_of(request)
    # A report of a newer kind is nothing to refuse: it is not kept either.
    if (check := _REPORTS.get(a_string(report, "report-type"))) is not None:
        check(report)
    await catalog_of(request).tables.check_exists(table_name_of(request))
    return Response(status_code=204)


def _check_scan(report: Json) -> None:
    _check_common(report)
    if report.get("filter") is None:
        raise BadRequest("Cannot parse missing field: filter")
    an_int(report, "schema-id")
    ints(report, "projected-field-ids")
    strings(report, "projected-field-names")


def _check_commit(report: Json) -> None:
    _check_common(report)
    a_long(report, "sequence-number")
    a_string(report, "operation")


def _check_common(report: Json) -> None:
    a_string(report, "table-name")
    a_long(report, "snapshot-id")
    if report.get("metadata") is not None:
        string_map(report, "metadata")
    for name, metric in an_object(report, "metrics").items():
        _check_metric(as_object(metric, name))


def _check_metric(metric: Json) -> None:
    """A counter, or a timer."""
    if metric.get("time-unit") is None:
        a_string(metric, "unit")
        a_long(metric, "value")
    else:
        a_string(metric, "time-unit")
        a_long(metric, "count")
        a_long(metric, "total-duration")


_REPORTS: dict[str, Callable[[Json], None]] = {"scan-report": _check_scan, "commit-report": _check_commit}

ROUTES = [
    Operation(
        "POST",
        "/v1/{prefix}/namespaces/{namespace}/tables/{table}/metrics",
        report_metrics,
        requires(Privilege.READ, on_table),
    )
]
