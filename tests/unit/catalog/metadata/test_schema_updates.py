"""Updates of schemas, partition specs and sort orders."""

import pytest

from boathouse.catalog.errors import BadRequest, IllegalArgument, Validation
from boathouse.catalog.metadata import Json
from tests.unit.catalog.metadata.sample import SCHEMA, changed, current, partitioned, table

PRICE: Json = {"id": 4, "name": "price", "required": False, "type": "double"}
WIDER: Json = {**SCHEMA, "fields": [*SCHEMA["fields"], PRICE]}
BY_ID: Json = {"source-id": 1, "name": "id_bucket", "transform": "bucket[16]"}
SORTED: Json = {"source-id": 1, "transform": "identity", "direction": "asc", "null-order": "nulls-first"}


def add_schema(schema: Json) -> Json:
    return {"action": "add-schema", "schema": schema}


def add_spec(*fields: Json) -> Json:
    return {"action": "add-spec", "spec": {"fields": list(fields)}}


def add_order(*fields: Json) -> Json:
    return {"action": "add-sort-order", "sort-order": {"order-id": 1 if fields else 0, "fields": list(fields)}}


def use_schema(schema_id: int) -> Json:
    return {"action": "set-current-schema", "schema-id": schema_id}


def use_spec(spec_id: int) -> Json:
    return {"action": "set-default-spec", "spec-id": spec_id}


def use_order(order_id: int) -> Json:
    return {"action": "set-default-sort-order", "sort-order-id": order_id}


class TestSchemas:
    def test_a_new_schema_gets_the_next_id_and_raises_the_last_column(self) -> None:
        metadata = changed(table(), add_schema({**WIDER, "schema-id": 77}), use_schema(-1))
        assert [schema["schema-id"] for schema in metadata["schemas"]] == [0, 1]
        assert metadata["current-schema-id"] == 1
        assert metadata["last-column-id"] == 4

    def test_the_same_schema_again_is_not_added(self) -> None:
        base = table()
        assert changed(base, add_schema({**SCHEMA, "schema-id": 5})) is base

    def test_a_schema_that_was_already_there_is_not_the_last_added(self) -> None:
        with pytest.raises(Validation, match="no schema has been added"):
            changed(table(), add_schema(SCHEMA), use_schema(-1))

    def test_a_schema_added_twice_in_one_commit_is_the_last_added(self) -> None:
        metadata = changed(table(), add_schema(WIDER), add_schema(WIDER), use_schema(-1))
        assert metadata["current-schema-id"] == 1

    def test_an_old_schema_can_be_current_again(self) -> None:
        wider = changed(table(), add_schema(WIDER), use_schema(-1))
        assert changed(wider, use_schema(0))["current-schema-id"] == 0

    def test_an_unknown_schema_cannot_be_current(self) -> None:
        with pytest.raises(IllegalArgument, match="unknown schema: 9"):
            changed(table(), use_schema(9))

    def test_schemas_are_removed_but_never_the_current_one(self) -> None:
        wider = changed(table(), add_schema(WIDER), use_schema(-1))
        slim = changed(wider, {"action": "remove-schemas", "schema-ids": [0]})
        assert [schema["schema-id"] for schema in slim["schemas"]] == [1]
        with pytest.raises(IllegalArgument, match="Cannot remove the current schema"):
            changed(wider, {"action": "remove-schemas", "schema-ids": [1]})

    def test_an_id_that_was_removed_is_not_given_again_while_a_higher_one_is_there(self) -> None:
        wider = changed(table(), add_schema(WIDER), use_schema(-1))
        slim = changed(wider, {"action": "remove-schemas", "schema-ids": [0]})
        metadata = changed(slim, add_schema({**WIDER, "fields": [*WIDER["fields"][:2], PRICE]}))
        assert [schema["schema-id"] for schema in metadata["schemas"]] == [1, 2]

    def test_a_column_that_partitions_use_cannot_be_lost(self) -> None:
        without_day = {**SCHEMA, "fields": [SCHEMA["fields"][0]]}
        with pytest.raises(Validation, match="Cannot find source column for partition field: day"):
            changed(partitioned(), add_schema(without_day), use_schema(-1))

    def test_v3_types_need_a_v3_table(self) -> None:
        newer = {**WIDER, "fields": [*SCHEMA["fields"], {**PRICE, "type": "variant"}]}
        with pytest.raises(IllegalArgument, match="not supported until v3"):
            changed(table(), add_schema(newer))
        upgrade = {"action": "upgrade-format-version", "format-version": 3}
        assert changed(table(), upgrade, add_schema(newer))["last-column-id"] == 4


class TestPartitions:
    def test_a_new_spec_gets_the_next_id_and_its_fields_new_ones(self) -> None:
        metadata = changed(partitioned(), add_spec(BY_ID), use_spec(-1))
        spec = current(metadata, "default-spec-id", "partition-specs", "spec-id")
        assert spec == {"spec-id": 1, "fields": [{**BY_ID, "field-id": 1001}]}
        assert metadata["last-partition-id"] == 1001

    def test_field_ids_that_were_given_are_kept(self) -> None:
        metadata = changed(table(), add_spec({**BY_ID, "field-id": 1005}))
        assert metadata["last-partition-id"] == 1005

    def test_a_spec_that_partitions_alike_is_not_added(self) -> None:
        base = partitioned()
        assert (
            changed(base, add_spec({"source-id": 2, "field-id": 1234, "name": "day", "transform": "identity"})) is base
        )

    def test_no_spec_was_added(self) -> None:
        with pytest.raises(Validation, match="no spec has been added"):
            changed(table(), use_spec(-1))

    def test_an_unknown_spec_cannot_be_the_default(self) -> None:
        with pytest.raises(IllegalArgument, match="unknown spec: 4"):
            changed(table(), use_spec(4))

    def test_specs_are_removed_but_never_the_default(self) -> None:
        base = changed(partitioned(), add_spec(BY_ID), use_spec(-1))
        slim = changed(base, {"action": "remove-partition-specs", "spec-ids": [0]})
        assert [spec["spec-id"] for spec in slim["partition-specs"]] == [1]
        with pytest.raises(IllegalArgument, match="Cannot remove the default partition spec"):
            changed(base, {"action": "remove-partition-specs", "spec-ids": [1]})

    def test_v1_tables_need_ids_without_gaps(self) -> None:
        with pytest.raises(Validation, match="sequential IDs"):
            changed(partitioned(1), add_spec({**BY_ID, "field-id": 1001}))

    def test_a_transform_of_several_columns_is_kept(self) -> None:
        field = {"source-ids": [1, 2], "name": "both", "transform": "zorder"}
        assert changed(table(), add_spec(field))["partition-specs"][1]["fields"] == [{**field, "field-id": 1000}]


class TestSortOrders:
    def test_a_new_order_gets_the_next_id(self) -> None:
        metadata = changed(table(), add_order(SORTED), use_order(-1))
        assert metadata["default-sort-order-id"] == 1
        assert metadata["sort-orders"][1] == {"order-id": 1, "fields": [SORTED]}

    def test_an_order_that_sorts_alike_is_not_added(self) -> None:
        base = changed(table(), add_order(SORTED))
        assert changed(base, add_order(SORTED)) is base

    def test_unsorted_is_always_order_0(self) -> None:
        base = changed(table(), add_order(SORTED), use_order(-1))
        assert changed(base, use_order(0))["default-sort-order-id"] == 0

    @pytest.mark.parametrize("order", [{"order-id": 5, "fields": []}, {"order-id": 0, "fields": [SORTED]}])
    def test_an_order_with_a_wrong_id_is_refused(self, order: Json) -> None:
        with pytest.raises(IllegalArgument):
            changed(table(), {"action": "add-sort-order", "sort-order": order})

    def test_an_order_by_an_unknown_column_is_refused(self) -> None:
        with pytest.raises(Validation, match="Cannot find source column for sort field: 99"):
            changed(table(), add_order({**SORTED, "source-id": 99}))

    def test_no_order_was_added(self) -> None:
        with pytest.raises(Validation, match="no sort order has been added"):
            changed(table(), use_order(-1))

    def test_an_unknown_order_cannot_be_the_default(self) -> None:
        with pytest.raises(IllegalArgument, match="unknown sort order: 4"):
            changed(table(), use_order(4))


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"action": 3},
        {"action": "paint-it-black"},
        {"action": "add-schema"},
        {"action": "add-schema", "schema": []},
        {"action": "set-current-schema"},
        {"action": "set-current-schema", "schema-id": "1"},
        {"action": "set-current-schema", "schema-id": 1.5},
        {"action": "add-spec", "spec": {"fields": [7]}},
        {"action": "add-sort-order", "sort-order": {}},
        {"action": "remove-schemas", "schema-ids": ["a"]},
        {"action": "remove-partition-specs"},
    ],
)
def test_an_update_that_cannot_be_read_is_refused(update: Json) -> None:
    with pytest.raises(BadRequest):
        changed(table(), update)
