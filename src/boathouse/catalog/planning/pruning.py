"""Which manifests and files may hold rows that pass a filter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from boathouse.catalog.metadata import Json
from boathouse.catalog.planning.expressions import Filter, Test, might_hold, simplified, without_not
from boathouse.catalog.planning.files import FieldSummary, FileEntry, Manifest
from boathouse.catalog.planning.projection import PartitionField, partition_fields, projected
from boathouse.catalog.planning.ranges import UNKNOWN, Range, might_match, of_value
from boathouse.catalog.planning.values import FLOATING, from_bytes

# Its order differs between writers, so its bounds say nothing.
_WITHOUT_ORDER = frozenset({"uuid", "unknown", "variant", "struct", "list", "map"})


@dataclass(frozen=True)
class Pruning:
    """A filter over a table's partition specs."""

    filter: Filter
    specs: Mapping[int, list[PartitionField]]

    @classmethod
    def of(cls, found: Filter, specs: Sequence[Json], types: dict[int, str]) -> "Pruning":
        return cls(found, {spec["spec-id"]: partition_fields(spec, types) for spec in specs})

    def keeps_manifest(self, manifest: Manifest) -> bool:
        """By the summaries of its partitions alone. Good for delete files too: they lie where their rows do."""
        fields = self.specs.get(manifest.spec_id, [])
        if manifest.partitions is None or len(manifest.partitions) != len(fields):
            return True
        ranges = [_of_summary(one, field) for one, field in zip(manifest.partitions, fields, strict=True)]
        return might_hold(without_not(self.filter), _by_partition(fields, ranges))

    def keeps_file(self, entry: FileEntry) -> bool:
        """By its partition, and by the metrics of its columns."""
        fields = self.specs.get(entry.spec_id, [])
        by_partition = _by_partition(fields, [of_value(value) for value in entry.partition])

        def test(one: Test) -> bool:
            if not by_partition(one):
                return False
            return one.transform != "identity" or might_match(one.operation, one.literals, _of_column(entry, one))

        return might_hold(without_not(self.filter), test)

    def residual(self, entry: FileEntry) -> Filter:
        """What of the filter is left to test on the rows: what all rows of the partition pass or fail is decided."""
        fields = self.specs.get(entry.spec_id, [])
        by_partition = _by_partition(fields, [of_value(value) for value in entry.partition])
        values = {field.source_id: value for field, value in zip(fields, entry.partition, strict=False) if _same(field)}

        def judge(test: Test) -> Filter:
            if test.column.type in _WITHOUT_ORDER:
                return test
            if not by_partition(test):
                return False
            value = values.get(test.column.id)
            # What is unlike a null, or compares with a NaN, engines judge differently.
            if value is None or value != value or test.transform != "identity":  # noqa: PLR0124 - only NaN is
                return True if _decided_by_null(test, values) else test
            return might_match(test.operation, test.literals, of_value(value))

        return simplified(self.filter, judge)


def _decided_by_null(test: Test, values: Mapping[int, object]) -> bool:
    is_null = test.operation == "is-null" and test.transform == "identity"
    return is_null and test.column.id in values and values[test.column.id] is None


def _same(field: PartitionField) -> bool:
    return field.transform == "identity"


def _by_partition(fields: Sequence[PartitionField], ranges: Sequence[Range]) -> Callable[[Test], bool]:
    def test(one: Test) -> bool:
        for field, values in zip(fields, ranges, strict=False):
            found = projected(one, field)
            if found is not None and field.type not in _WITHOUT_ORDER and not might_match(*found, values):
                return False
        return True

    return test


def _of_summary(summary: FieldSummary, field: PartitionField) -> Range:
    nans = field.type in FLOATING and summary.contains_nan is not False
    lower = from_bytes(summary.lower, field.type) if summary.lower is not None else None
    upper = from_bytes(summary.upper, field.type) if summary.upper is not None else None
    return Range(
        _number(lower),
        _number(upper),
        nulls=summary.contains_null,
        nans=nans,
        only_nulls=summary.contains_null and summary.lower is None and not nans,
    )


def _of_column(entry: FileEntry, test: Test) -> Range:
    """What the metrics of a data file say about a column."""
    kind, column = test.column.type, test.column.id
    if kind in _WITHOUT_ORDER:
        return UNKNOWN
    values, nulls, nans = (counts.get(column) for counts in (entry.value_counts, entry.null_counts, entry.nan_counts))
    lower, upper = entry.lower_bounds.get(column), entry.upper_bounds.get(column)
    return Range(
        _number(from_bytes(lower, kind)) if lower is not None else None,
        _number(from_bytes(upper, kind)) if upper is not None else None,
        nulls=nulls is None or nulls > 0,
        nans=kind in FLOATING and (nans is None or nans > 0),
        only_nulls=values is not None and nulls is not None and 0 < values == nulls,
        only_nans=values is not None and nans is not None and 0 < values == nans,
    )


def _number(bound: object) -> object | None:
    """A bound that is NaN bounds nothing."""
    return None if bound != bound else bound  # noqa: PLR0124 - only NaN is unlike itself
