"""Names and the keys they are kept under."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.catalog.errors import BadRequest, IllegalArgument
from boathouse.catalog.names import (
    Namespace,
    TableName,
    children_prefix,
    decode_namespace,
    namespace_key,
    namespace_of,
    path_segment,
    pointer_key,
    pointers_prefix,
    table_of,
)

NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(
    lambda name: name not in {".", ".."} and "\U0010ffff" not in name
)
NAMESPACES = st.lists(NAMES, min_size=1, max_size=3).map(tuple).map(Namespace)
TABLES = st.builds(TableName, NAMESPACES, NAMES)


@pytest.mark.parametrize("name", ["", None, 5, [], {}])
def test_what_is_no_name_is_refused(name: object) -> None:
    with pytest.raises(BadRequest):
        table_of(Namespace(("ns",)), name)


@pytest.mark.parametrize("name", [".", "..", "a\x1fb", "a\x00", "a\nb", "a" * 300, "\U0010ffff"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(name: str) -> None:
    with pytest.raises(IllegalArgument):
        table_of(Namespace(("ns",)), name)


@pytest.mark.parametrize("levels", [[], [""], ["a", ""], ["a", 1]])
def test_what_is_no_namespace_is_refused(levels: list[object]) -> None:
    with pytest.raises(BadRequest):
        namespace_of(levels)


def test_a_namespace_in_a_path_has_its_levels_separated() -> None:
    assert decode_namespace("a\x1fb c") == Namespace(("a", "b c"))


@pytest.mark.parametrize("name", ["orders", "a.b", "day=1", "x-1", "_staging"])
def test_a_plain_name_is_its_own_directory(name: str) -> None:
    assert path_segment(name) == name


@given(NAMES, NAMES)
def test_directories_are_safe_and_tell_names_apart(one: str, other: str) -> None:
    segment = path_segment(one)
    assert segment not in {"", ".", ".."}
    assert "/" not in segment
    assert segment.isascii()
    assert (segment == path_segment(other)) == (one == other)


@given(TABLES, TABLES)
def test_keys_tell_tables_apart(one: TableName, other: TableName) -> None:
    key, same_namespace = pointer_key("w", "table", one), one.namespace == other.namespace
    assert (key == pointer_key("w", "table", other)) == (one == other)
    assert key.startswith(pointers_prefix("w", "table", other.namespace)) == same_namespace


@given(TABLES)
def test_keys_tell_views_from_tables(name: TableName) -> None:
    assert not pointer_key("w", "view", name).startswith(pointers_prefix("w", "table", name.namespace))


@given(NAMESPACES, NAMESPACES)
def test_the_prefix_of_a_namespace_holds_its_children_only(one: Namespace, parent: Namespace) -> None:
    assert namespace_key("w", one).startswith(children_prefix("w", parent)) == (one.parent == parent)
