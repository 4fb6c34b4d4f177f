import base64

import pytest

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.login import check_login


def basic(user: str, password: str) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


@pytest.mark.parametrize(
    ("headers", "parameters"),
    [
        (basic("u", "p:q"), {}),
        ({"x-clickhouse-user": "u", "x-clickhouse-key": "p:q"}, {}),
        ({}, {"user": "u", "password": "p:q"}),
    ],
)
def test_the_user_is_let_in(headers: dict[str, str], parameters: dict[str, str]) -> None:
    check_login("u", "p:q", headers, parameters)


@pytest.mark.parametrize(
    ("headers", "parameters"),
    [
        ({}, {}),
        (basic("u", ""), {}),
        (basic("", "p:q"), {}),
        ({"authorization": "Basic ?"}, {}),
        ({"authorization": "Basic /w=="}, {}),
        ({"authorization": "Bearer p:q"}, {}),
        ({"x-clickhouse-key": "p:q"}, {}),
        ({}, {"password": "p:q"}),
        ({**basic("u", "p:q"), "x-clickhouse-user": "u", "x-clickhouse-key": "p:q"}, {}),
        (basic("u", "p:q"), {"user": "u", "password": "p:q"}),
    ],
)
def test_nobody_else_is(headers: dict[str, str], parameters: dict[str, str]) -> None:
    with pytest.raises(ClickHouseError) as refused:
        check_login("u", "p:q", headers, parameters)
    assert (refused.value.code, refused.value.status) == (516, 403)
    assert "p:q" not in str(refused.value)
