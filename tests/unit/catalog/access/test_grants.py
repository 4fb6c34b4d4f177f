"""Whether something is allowed, for whatever was granted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.catalog.access.grants import Grant, Grants
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable

LIST, READ, WRITE, CREATE, MANAGE = Privilege
names = st.sampled_from(["a", "b"])
securables = st.builds(Securable, names, st.lists(names, max_size=3).map(tuple), st.just(""))
tables = st.builds(Securable, names, st.lists(names, min_size=1, max_size=3).map(tuple), names)
anything = securables | tables
privileges = st.sampled_from(Privilege)
grants = st.lists(st.builds(Grant, anything, privileges), max_size=5)


@given(privileges, anything)
def test_what_was_not_granted_is_denied(privilege: Privilege, securable: Securable) -> None:
    assert not Grants().allow(privilege, securable)


@given(privileges, anything, anything)
def test_a_grant_holds_for_what_it_stands_on_and_all_that_lies_in_it_and_nowhere_else(
    privilege: Privilege, granted: Securable, asked: Securable
) -> None:
    inside = asked == granted or granted in asked.above()
    assert Grants([Grant(granted, privilege)]).inherit(privilege, asked) == inside


@given(grants, grants, privileges, anything)
def test_more_grants_never_allow_less(
    some: list[Grant], more: list[Grant], privilege: Privilege, securable: Securable
) -> None:
    if Grants(some).allow(privilege, securable):
        assert Grants(some + more).allow(privilege, securable)


@given(grants, privileges, anything)
def test_what_several_grants_allow_one_of_them_allows(
    several: list[Grant], privilege: Privilege, securable: Securable
) -> None:
    alone = any(Grants([grant]).allow(privilege, securable) for grant in several)
    assert Grants(several).allow(privilege, securable) == alone


@given(grants, anything)
def test_whoever_may_do_anything_with_a_thing_may_see_it(granted: list[Grant], securable: Securable) -> None:
    held = Grants(granted)
    if any(held.allow(privilege, securable) for privilege in Privilege):
        assert held.allow(LIST, securable)


@given(privileges, anything)
def test_what_leads_to_something_granted_may_be_seen_but_nothing_more(
    privilege: Privilege, securable: Securable
) -> None:
    held = Grants([Grant(securable, privilege)])
    for above in securable.above():
        assert held.allow(LIST, above)
        assert not any(held.allow(other, above) for other in Privilege if other is not LIST)
        assert not held.allow(LIST, Securable(above.warehouse, above.levels, "stranger"))


@pytest.mark.parametrize(
    ("granted", "brings"),
    [
        (LIST, {LIST}),
        (READ, {LIST, READ}),
        (WRITE, {LIST, READ, WRITE}),
        (CREATE, {LIST, CREATE}),
        (MANAGE, {LIST, READ, WRITE, CREATE, MANAGE}),
    ],
)
def test_what_each_privilege_brings_with_it(granted: Privilege, brings: set[Privilege]) -> None:
    table = Securable("lake", ("ns",), "t")
    held = Grants([Grant(table, granted)])
    assert {privilege for privilege in Privilege if held.allow(privilege, table)} == brings


def test_a_namespace_and_a_table_of_the_same_name_are_two_things() -> None:
    held = Grants([Grant(Securable("lake", ("ns",), "t"), MANAGE)])
    assert not held.allow(LIST, Securable("lake", ("ns", "t")))


def test_a_table_and_a_view_share_their_names() -> None:
    held = Grants([Grant(Securable("lake", ("ns",), "t"), READ)])
    assert held.allow(READ, Securable("lake", ("ns",), "t", kind="view"))


def test_a_dot_in_a_name_is_told_from_one_between_names() -> None:
    one, other = Securable("lake", ("a.b",), "c"), Securable("lake", ("a", "b"), "c")
    assert (one.path, other.path) == ('lake."a.b".c', "lake.a.b.c")
    assert (str(one), str(other)) == ('table "a.b".c', "table a.b.c")
    assert str(Securable("lake", ("a.b",))) == 'namespace "a.b"'
