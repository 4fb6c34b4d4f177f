"""Older metadata files: how many the log names, and which of the rest may be deleted."""

from boathouse.catalog.metadata import Json, change_table, outdated_files
from tests.unit.catalog.metadata.sample import LOCATION, NOW, table

DELETING = {"write.metadata.delete-after-commit.enabled": "true", "write.metadata.previous-versions-max": "2"}


def file(number: int, where: str = f"{LOCATION}/metadata") -> str:
    return f"{where}/{number:05d}-x.metadata.json"


def commit(base: Json, number: int) -> Json:
    updates = [{"action": "set-properties", "updates": {"commit": str(number)}}]
    return change_table(base, updates, base_location=file(number), now_ms=NOW + number)


def history(properties: dict[str, str]) -> tuple[Json, Json]:
    """The versions before and after a commit that drops file 0 from the log."""
    before = commit(commit(table(properties=properties), 0), 1)
    return before, commit(before, 2)


def test_the_log_names_as_many_as_the_table_says() -> None:
    _, after = history(DELETING)
    assert [entry["metadata-file"] for entry in after["metadata-log"]] == [file(1), file(2)]


def test_what_the_log_drops_may_be_deleted() -> None:
    assert outdated_files(*history(DELETING)) == [file(0)]


def test_nothing_is_deleted_unasked() -> None:
    assert outdated_files(*history({"write.metadata.previous-versions-max": "2"})) == []


def test_nothing_outside_the_tables_own_place_is_deleted_whatever_its_log_says() -> None:
    before, after = history(DELETING)
    foreign = [
        file(0, "s3://lake/sales/orders_of_others/metadata"),
        file(0, "s3://other/metadata"),
        f"{LOCATION}/data/file.parquet",
        LOCATION,
        None,
    ]
    before = {**before, "metadata-log": [{"timestamp-ms": 1, "metadata-file": one} for one in foreign]}
    assert outdated_files(before, after) == []
