"""Which tables a listing shows."""

from boathouse.kit.catalog_client import TableName
from boathouse.kit.relations import Kind, Relation, without_records


def shown(*names: str, parent: tuple[str, ...] = (), views: tuple[str, ...] = ()) -> list[str]:
    relations = [
        *(Relation(TableName.parse(name)) for name in names),
        *(Relation(TableName.parse(name), Kind.VIEW) for name in views),
    ]
    return [str(relation.name) for relation in without_records(relations, parent)]


def test_what_a_pipeline_keeps_beside_a_table_is_left_out() -> None:
    assert shown("s.orders", "s.orders__loads", "s.orders__rejects", "s.items") == ["s.orders", "s.items"]


def test_a_table_that_only_has_such_a_name_is_shown() -> None:
    assert shown("s.orders__loads", "t.orders") == ["s.orders__loads", "t.orders"]


def test_a_view_is_nobodys_record() -> None:
    assert shown("s.orders", views=("s.orders__loads", "_staging.v")) == ["s.orders", "s.orders__loads"]
    assert shown("s.orders__loads", views=("s.orders",)) == ["s.orders__loads", "s.orders"]


def test_what_is_being_written_is_shown_to_those_who_ask_for_it() -> None:
    assert shown("s.a", "_staging.b") == ["s.a"]
    assert shown("_staging.b", parent=("_staging",)) == ["_staging.b"]
