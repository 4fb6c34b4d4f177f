"""Updates of a table's partition specs."""

from boathouse.catalog.errors import IllegalArgument, Validation
from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, an_int, an_object, by_id, ints, next_id
from boathouse.catalog.metadata.partitioning import (
    check_compatible,
    check_ids,
    check_names,
    check_sequential,
    checked_fields,
    last_field_id,
    same_fields,
    with_ids,
)


def add_spec(draft: TableDraft, update: Json) -> None:
    """A spec that partitions like one already there keeps its id; it is the last added only if this commit added it."""
    fields = checked_fields(an_object(update, "spec"))
    specs: list[Json] = draft.get("partition-specs")
    found = next((spec["spec-id"] for spec in specs if same_fields(spec["fields"], fields)), None)
    if found is not None:
        draft.last_spec = found if found in draft.added_specs else None
        return
    fields = with_ids(fields, draft.get("last-partition-id"))
    _check(draft, fields)
    spec_id = next_id(specs, "spec-id")
    draft.append("partition-specs", {**update["spec"], "spec-id": spec_id, "fields": fields})
    draft.set("last-partition-id", max(draft.get("last-partition-id"), last_field_id(fields)))
    draft.added_specs.append(spec_id)
    draft.last_spec = spec_id


def set_default_spec(draft: TableDraft, update: Json) -> None:
    spec_id = an_int(update, "spec-id")
    if spec_id == -1:
        if draft.last_spec is None:
            raise Validation("Cannot set last added spec: no spec has been added")
        spec_id = draft.last_spec
    if by_id(draft.get("partition-specs"), "spec-id", spec_id) is None:
        raise IllegalArgument(f"Cannot set default partition spec to unknown spec: {spec_id}")
    if spec_id != draft.get("default-spec-id"):
        draft.set("default-spec-id", spec_id)


def remove_partition_specs(draft: TableDraft, update: Json) -> None:
    removed = set(ints(update, "spec-ids"))
    if draft.get("default-spec-id") in removed:
        raise IllegalArgument("Cannot remove the default partition spec")
    if removed:
        draft.set("partition-specs", [spec for spec in draft.get("partition-specs") if spec["spec-id"] not in removed])


def _check(draft: TableDraft, fields: list[Json]) -> None:
    schema = draft.schema()
    if schema is None:
        raise Validation("Attempting to add a partition spec before a schema is added")
    check_ids(fields)
    check_names(fields, schema)
    check_compatible(fields, schema)
    if draft.version == 1:
        check_sequential(fields)
