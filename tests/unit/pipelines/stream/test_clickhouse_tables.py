"""The statements by which ClickHouse comes to have a followed table."""

from boathouse.pipelines.stream.clickhouse_tables import alterations, column_type, create_rollup, create_table, quoted
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.types import Decimal, ListOf, Primitive

TABLE = SourceTable(
    "billing.bills",
    {"id": Primitive("long"), "amount": Decimal(12, 2), "tags": ListOf(Primitive("string"))},
    ("id",),
    "d",
)


def test_the_newest_change_of_each_key_counts() -> None:
    made = create_table("lake", TABLE)
    assert made.startswith(
        "CREATE TABLE IF NOT EXISTS `lake`.`billing_bills` (`id` Int64, `amount` Nullable(Decimal(12, 2))"
    )
    assert "ReplacingMergeTree(_lsn, _deleted) ORDER BY (`id`)" in made
    assert "non_replicated_deduplication_window" in made


def test_only_what_differs_is_altered() -> None:
    there = {"id": "Int64", "amount": "Nullable(Decimal(10, 2))"}
    assert list(alterations("lake", TABLE, there)) == [
        "ALTER TABLE `lake`.`billing_bills` MODIFY COLUMN `amount` Nullable(Decimal(12, 2))",
        "ALTER TABLE `lake`.`billing_bills` ADD COLUMN `tags` Array(Nullable(String))",
    ]
    assert (
        list(
            alterations(
                "lake", TABLE, {name: column_type(kind, key=name == "id") for name, kind in TABLE.columns.items()}
            )
        )
        == []
    )


def test_a_rollup_sums_what_comes_and_takes_away_what_goes() -> None:
    rollup = Rollup(name="by_tag", table="billing.bills", by={"tag": "tags[1]"}, sums={"total": "amount"})
    deltas, target, view = create_rollup("lake", TABLE, rollup)
    assert "ENGINE = Null" in deltas
    assert "`_sign` Int8" in deltas
    assert "SummingMergeTree ORDER BY (`tag`)" in target
    assert "sum((amount) * _sign) AS `total`" in view
    assert view.startswith("CREATE MATERIALIZED VIEW IF NOT EXISTS `lake`.`by_tag__view` TO `lake`.`by_tag`")


def test_names_are_quoted() -> None:
    assert quoted("a`b") == "`a\\`b`"
