"""What a scan asks for, as a request says it and as plan ids and plan tasks carry it."""

from dataclasses import dataclass
from typing import Any

from boathouse.catalog.errors import BadRequest, TooLarge
from boathouse.catalog.metadata import Json
from boathouse.catalog.metadata.fields import a_bool, a_long, strings


@dataclass(frozen=True)
class ScanRequest:
    filter: Any = None
    """As the specification writes it; None for all rows."""
    snapshot_id: int | None = None
    start_snapshot_id: int | None = None
    end_snapshot_id: int | None = None
    case_sensitive: bool = True
    use_snapshot_schema: bool = False
    statistics: tuple[str, ...] = ()
    least_rows: int | None = None

    @property
    def incremental(self) -> bool:
        return self.end_snapshot_id is not None


# Every file of the answer carries what is left of the filter, and planning looks at all of it for each.
LARGEST_FILTER = 50_000


def read_request(json: Json) -> ScanRequest:
    request = ScanRequest(
        filter=json.get("filter"),
        snapshot_id=_long(json, "snapshot-id"),
        start_snapshot_id=_long(json, "start-snapshot-id"),
        end_snapshot_id=_long(json, "end-snapshot-id"),
        case_sensitive=_flag(json, "case-sensitive", default=True),
        use_snapshot_schema=_flag(json, "use-snapshot-schema", default=False),
        statistics=_names(json, "stats-fields"),
        least_rows=_long(json, "min-rows-requested"),
    )
    # Which columns are selected changes no plan, but what is not a list of names is a mistake to tell.
    _names(json, "select")
    _check(request)
    return request


def _check_size(expression: Any) -> None:
    """Not by recursion: a filter may be a long chain."""
    waiting, seen = [expression], 0
    while waiting:
        here = waiting.pop()
        seen += 1
        if seen > LARGEST_FILTER:
            raise TooLarge(
                f"Cannot plan the scan: its filter has over {LARGEST_FILTER} parts. Name fewer values in it."
            )
        inside: Any = here.values() if isinstance(here, dict) else here if isinstance(here, list) else ()
        waiting.extend(inside)


def written(request: ScanRequest) -> Json:
    """The request as `read_request` reads it, without what is not said."""
    json = {
        "filter": request.filter,
        "snapshot-id": request.snapshot_id,
        "start-snapshot-id": request.start_snapshot_id,
        "end-snapshot-id": request.end_snapshot_id,
        "case-sensitive": request.case_sensitive,
        "use-snapshot-schema": request.use_snapshot_schema,
        "stats-fields": list(request.statistics),
        "min-rows-requested": request.least_rows,
    }
    return {name: value for name, value in json.items() if value is not None}


def _check(request: ScanRequest) -> None:
    _check_size(request.filter)
    if request.snapshot_id is not None and (request.incremental or request.start_snapshot_id is not None):
        raise BadRequest("Invalid scan: both snapshot-id and start-snapshot-id or end-snapshot-id are given")
    if (request.start_snapshot_id is None) != (request.end_snapshot_id is None):
        raise BadRequest("Invalid incremental scan: start-snapshot-id and end-snapshot-id are required together")
    if request.least_rows is not None and request.least_rows < 0:
        raise BadRequest(f"Invalid scan: min-rows-requested is negative: {request.least_rows}")


def _long(json: Json, name: str) -> int | None:
    return a_long(json, name) if json.get(name) is not None else None


def _flag(json: Json, name: str, *, default: bool) -> bool:
    return a_bool(json, name) if json.get(name) is not None else default


def _names(json: Json, name: str) -> tuple[str, ...]:
    return tuple(strings(json, name)) if json.get(name) is not None else ()
