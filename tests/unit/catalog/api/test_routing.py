"""An operation is found by the words of a path, as Starlette would find it."""

from hypothesis import given
from hypothesis import strategies as st
from starlette.routing import Match

from boathouse.catalog.api.app import OPERATIONS
from boathouse.catalog.api.operations import Operation
from boathouse.catalog.api.routing import Routing

WORDS = sorted({word for one in OPERATIONS for word in one.path.split("/") if not word.startswith("{")})
PARTS = st.sampled_from([*WORDS, "a", "b%2Fc", "a+b", "{table}"])
routing = Routing(OPERATIONS)


def by_patterns(method: str, path: str) -> tuple[object, dict[str, str]] | None:
    """What Starlette finds. It also takes HEAD where there is only GET, which is left to it."""
    scope = {"type": "http", "method": method, "path": path, "root_path": ""}
    for one in OPERATIONS:
        match, found = one.matches(scope)
        if match is Match.FULL and one.method == method:
            return one.endpoint, found["path_params"]
    return None


def found(method: str, path: str) -> tuple[object, dict[str, str]] | None:
    answer = routing.find(method, path)
    return (answer[0].endpoint, answer[1]) if answer else None


def test_every_operation_is_found_with_its_parameters() -> None:
    for one in OPERATIONS:
        path = one.path.replace("{", "").replace("}", "")
        endpoint, parameters = found(one.method, path) or (None, {})
        assert endpoint is one.endpoint
        assert {name.replace("_", "-") for name in parameters} == set(parameters.values())


@given(st.sampled_from(["GET", "HEAD", "POST", "DELETE", "PATCH"]), st.lists(PARTS, min_size=1, max_size=10))
def test_any_path_leads_where_its_pattern_leads(method: str, parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    assert found(method, path) == by_patterns(method, path)


@given(st.sampled_from(OPERATIONS), st.data())
def test_a_path_with_something_missing_or_too_much_is_left_to_starlette(one: Operation, data: st.DataObject) -> None:
    parts = one.path.replace("{", "").replace("}", "").split("/")
    parts[data.draw(st.integers(0, len(parts) - 1))] = ""
    path = "/".join(parts) + data.draw(st.sampled_from(["", "/", "//"]))
    assert found(one.method, path) == by_patterns(one.method, path)
