"""Which tables of Postgres can be followed, and by what they are known."""

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.stream import clickhouse_tables, silver
from boathouse.pipelines.stream.own_columns import OF_ROWS
from boathouse.pipelines.stream.postgres import SourceTable, refuse_keyless, refuse_unfollowable
from boathouse.pipelines.types import ColumnType, Primitive

NAME = "public.readings"


def _table(identity: str, key: tuple[str, ...] = ("id",), *, deferrable: bool = False) -> dict[str, SourceTable]:
    return {NAME: SourceTable(NAME, {"id": Primitive("long")}, key, identity, deferrable=deferrable)}


def test_a_rollup_of_a_table_that_logs_only_the_key_of_a_changed_row_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must know what a changed row was before") as refused:
        refuse_unfollowable(_table("d"), [NAME], whole=[NAME])
    assert str(refused.value.hint).startswith(f"ALTER TABLE {NAME} REPLICA IDENTITY FULL.")
    refuse_unfollowable(_table("d"), [NAME])
    refuse_unfollowable(_table("f"), [NAME], whole=[NAME])


def test_a_table_whose_changes_nobody_could_tell_is_refused() -> None:
    with pytest.raises(InvalidInput, match="has no primary key"):
        refuse_unfollowable(_table("d", key=()), [NAME])
    with pytest.raises(InvalidInput, match="logs nothing of the rows"):
        refuse_unfollowable(_table("n"), [NAME])
    with pytest.raises(InvalidInput, match=r"Postgres has no table public\.other"):
        refuse_unfollowable(_table("d"), ["public.other"])


def test_a_deferrable_key_will_do_only_where_old_rows_are_logged_whole_and_kept_in_the_log_alone() -> None:
    with pytest.raises(InvalidInput, match="is DEFERRABLE") as refused:
        refuse_unfollowable(_table("d", deferrable=True), [NAME])
    assert str(refused.value.hint).startswith(f"ALTER TABLE {NAME} REPLICA IDENTITY FULL.")
    refuse_unfollowable(_table("f", deferrable=True), [NAME])
    with pytest.raises(InvalidInput, match="rows may take each other's keys"):
        refuse_keyless(_table("f", deferrable=True)[NAME])


@pytest.mark.parametrize(
    "name", ["_lsn", "_place", "_order", "_Deleted", "_source_at", "_kafka_at", "_written_at", "_op", "_sign"]
)
def test_a_column_that_is_called_as_one_of_ours_is_refused(name: str) -> None:
    columns: dict[str, ColumnType] = {"id": Primitive("long"), name: Primitive("long")}
    with pytest.raises(InvalidInput, match=f"has a column {name}, a name that is kept") as refused:
        refuse_unfollowable({NAME: SourceTable(NAME, columns, ("id",), "d")}, [NAME])
    assert str(refused.value.hint).startswith(f'ALTER TABLE {NAME} RENAME COLUMN "{name}" TO ')


def test_columns_that_differ_only_in_their_case_are_refused() -> None:
    columns: dict[str, ColumnType] = {"id": Primitive("long"), "name": Primitive("string"), "Name": Primitive("string")}
    with pytest.raises(InvalidInput, match="has the columns name and Name, which differ only in their case") as refused:
        refuse_unfollowable({NAME: SourceTable(NAME, columns, ("id",), "d")}, [NAME])
    assert str(refused.value.hint).startswith(f'ALTER TABLE {NAME} RENAME COLUMN "name" TO ')


def test_every_column_that_stands_beside_a_row_is_ours() -> None:
    assert {*silver.OWN, *clickhouse_tables.OWN, clickhouse_tables.SIGN} <= OF_ROWS


def test_rows_that_are_kept_need_a_key() -> None:
    with pytest.raises(InvalidInput, match="has no key, so its rows cannot be told apart in silver and speed"):
        refuse_keyless(_table("f", key=())[NAME])
    refuse_keyless(_table("f")[NAME])
    # In the log they need none.
    refuse_unfollowable(_table("f", key=()), [NAME])
