"""Reports that engines send about their scans and commits. They are read and not kept."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api.requests import catalog_of, json_of, table_name_of
from boathouse.catalog.metadata.fields import a_string


async def report_metrics(request: Request) -> Response:
    catalog_of(request)
    table_name_of(request)
    a_string(await json_of(request), "report-type")
    return Response(status_code=204)


ROUTES = [Route("/v1/{prefix}/namespaces/{namespace}/tables/{table}/metrics", report_metrics, methods=["POST"])]
