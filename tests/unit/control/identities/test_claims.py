"""What is made of what a provider says."""

from typing import Any

import pytest

from boathouse.control.identities.claims import claims_in, groups_in
from boathouse.control.identities.settings import OidcSettings

SETTINGS = OidcSettings(issuer="https://login.example.org", client_id="boathouse", public_url="https://b.example.org")


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ({"preferred_username": "Ann.K"}, "ann.k"),
        ({"preferred_username": "  ann k/ö  "}, "ann-k"),
        ({"preferred_username": "../../etc"}, "etc"),
        ({"preferred_username": "", "email": "ann@example.org"}, "ann@example.org"),
        ({}, "s-1"),
        ({"preferred_username": "ö"}, "user"),
        ({"preferred_username": "x" * 300}, "x" * 90),
    ],
)
def test_a_name_is_made_that_the_control_plane_takes(told: dict[str, Any], name: str) -> None:
    assert claims_in({"sub": "s-1", **told}, SETTINGS).name == name


@pytest.mark.parametrize(
    ("told", "claim", "groups"),
    [
        ({"groups": ["crew", "captains"]}, "groups", {"crew", "captains"}),
        ({"groups": "crew"}, "groups", {"crew"}),
        ({"groups": ["crew", 7, None]}, "groups", {"crew"}),
        ({"groups": {"crew": True}}, "groups", set[str]()),
        ({}, "groups", set[str]()),
        ({"realm_access": {"roles": ["crew"]}}, "realm_access.roles", {"crew"}),
        ({"realm_access": "crew"}, "realm_access.roles", set[str]()),
        ({"https://example.org/groups": ["crew"]}, "https://example.org/groups", {"crew"}),
    ],
)
def test_groups_are_found_where_providers_put_them(told: dict[str, Any], claim: str, groups: set[str]) -> None:
    assert groups_in(told, claim) == groups


@pytest.mark.parametrize(
    ("told", "email"),
    [
        ({"email": "ann@example.org", "email_verified": True}, "ann@example.org"),
        ({"email": "ann@example.org", "email_verified": "false"}, None),
        ({"email": "ann@example.org"}, None),
        ({"email": "no address", "email_verified": True}, None),
    ],
)
def test_an_address_counts_once_it_is_verified(told: dict[str, Any], email: str | None) -> None:
    assert claims_in({"sub": "s-1", **told}, SETTINGS).email == email
