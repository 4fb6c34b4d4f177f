"""Who may call is said beside every route."""

from boathouse.catalog.api.app import OPERATIONS
from boathouse.catalog.api.operations import ANYBODY, Operation


def test_every_route_says_who_may_call_it() -> None:
    assert all(isinstance(route, Operation) for route in OPERATIONS)


def test_only_probes_and_the_way_in_are_open_to_anybody() -> None:
    open_to_all = {one.path for one in OPERATIONS if one.requirement is ANYBODY}
    assert open_to_all == {"/healthz", "/readyz", "/metrics", "/v1/oauth/tokens"}
