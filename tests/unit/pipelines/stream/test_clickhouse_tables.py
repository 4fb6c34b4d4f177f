"""The statements by which ClickHouse comes to have a followed table."""

from boathouse.pipelines.stream.clickhouse_tables import (
    OWN,
    alterations,
    columns_of,
    create_rollup,
    create_table,
    is_outdated,
    known_columns,
    known_key,
    quoted,
    rebuild,
)
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.types import Decimal, ListOf, Primitive, parse_type

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
    assert "ReplacingMergeTree(_order, _deleted) ORDER BY (`id`)" in made
    assert "non_replicated_deduplication_window" in made


def test_only_what_differs_is_altered() -> None:
    there = {"id": "Int64", "amount": "Nullable(Decimal(10, 2))"}
    assert list(alterations("lake", "billing_bills", columns_of(TABLE), there)) == [
        "ALTER TABLE `lake`.`billing_bills` MODIFY COLUMN `amount` Nullable(Decimal(12, 2))",
        "ALTER TABLE `lake`.`billing_bills` ADD COLUMN `tags` Array(Nullable(String))",
    ]
    assert list(alterations("lake", "billing_bills", columns_of(TABLE), columns_of(TABLE))) == []


def test_a_wider_key_needs_the_table_anew() -> None:
    as_it_should_be = columns_of(TABLE) | {"_lsn": "UInt64", "_order": "UInt128"}
    there = as_it_should_be | {"id": "Int32"}
    assert is_outdated(TABLE, there)
    assert not is_outdated(TABLE, as_it_should_be)
    assert is_outdated(TABLE, columns_of(TABLE) | {"_lsn": "UInt64"})
    dropped, made, filled, exchanged, gone = rebuild("lake", TABLE, there)
    # Also of a table that is larger than ClickHouse drops without being told so.
    assert dropped == gone == "DROP TABLE IF EXISTS `lake`.`billing_bills__rebuilt` SETTINGS max_table_size_to_drop = 0"
    assert "`id` Int64" in made
    assert filled.endswith("SELECT `id`, `amount`, `tags`, `_lsn` FROM `lake`.`billing_bills`")
    assert exchanged == "EXCHANGE TABLES `lake`.`billing_bills` AND `lake`.`billing_bills__rebuilt`"


def test_a_rollup_sums_what_comes_and_takes_away_what_goes() -> None:
    rollup = Rollup(name="by_tag", table="billing.bills", by={"tag": "tags[1]"}, sums={"total": "amount"})
    deltas, target, view = create_rollup("lake", TABLE, rollup)
    assert "ENGINE = Null" in deltas
    assert "`_sign` Int8" in deltas
    assert "SummingMergeTree ORDER BY (`tag`)" in target
    assert "SELECT __by0 AS `tag`, sum(toInt64(__sign)) AS `rows`, sum(__sum0 * __sign) AS `total` FROM" in view
    assert (
        "(SELECT (tags[1]) AS __by0, (amount) AS __sum0, _sign AS __sign FROM `lake`.`billing_bills__deltas`)" in view
    )
    assert view.startswith("CREATE MATERIALIZED VIEW IF NOT EXISTS `lake`.`by_tag__view` TO `lake`.`by_tag`")


def test_names_are_quoted() -> None:
    assert quoted("a`b") == "`a\\`b`"


_KINDS = ("boolean", "int", "long", "float", "double", "string", "date", "timestamp", "timestamp_ntz", "decimal(12,2)")


def test_what_a_table_has_is_known_again_in_our_types() -> None:
    columns = {f"c{place}": parse_type(kind) for place, kind in enumerate(_KINDS)} | {
        "id": parse_type("long"),
        "tags": parse_type("array<string>"),
    }
    there = columns_of(SourceTable("public.t", columns, ("id",), "d")) | OWN
    nobody = SourceTable("public.t", {}, (), "f")
    assert (known_columns(nobody, there), known_key(there)) == (columns, ("id",))


def test_a_type_that_is_kept_alike_is_the_sources_and_another_one_that_of_the_table() -> None:
    source = {"raw": parse_type("binary"), "amount": parse_type("long"), "new": parse_type("int")}
    there = {"raw": "Nullable(String)", "amount": "Nullable(Float64)", "gone": "Nullable(Int32)", **OWN}
    kept = known_columns(SourceTable("public.t", source, (), "d"), there)
    assert kept == {"raw": source["raw"], "amount": parse_type("double"), "gone": parse_type("int")}
