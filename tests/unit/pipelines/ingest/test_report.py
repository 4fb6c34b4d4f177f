"""A report accounts for every file and every row."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.pipelines.ingest.evolution import Changes
from boathouse.pipelines.ingest.merge import Merged
from boathouse.pipelines.ingest.new_files import NewFiles
from boathouse.pipelines.ingest.report import Report, RuleCount, nothing_new, report_of
from boathouse.pipelines.ingest.rows import Outcome
from boathouse.pipelines.ingest.rules import rules_of
from boathouse.pipelines.spec import Action, parse_spec
from boathouse.pipelines.types import Primitive

SPEC = parse_spec(
    """
pipeline: orders
source: {path: a.csv, format: csv}
expectations:
  - {check: a, otherwise: drop}
  - {check: b}
target: {table: sales.orders}
""",
    "s.yaml",
)
RULES = rules_of(SPEC)
NO_CHANGES = Changes({}, {})


def files(*sizes: int) -> NewFiles:
    scanned: list[Any] = [SimpleNamespace(file=SimpleNamespace(size=size)) for size in sizes]
    return NewFiles(scanned, skipped=3, loads_version=None)


def report(*, good: int, broken: dict[int, int], merged: Merged | None = None) -> Report:
    outcome = Outcome(good + sum(broken.values()), broken, None, merged=merged)
    return report_of(SPEC, files(10, 20), RULES, outcome, NO_CHANGES)


COUNTS = st.integers(0, 10**12)


@settings(max_examples=50)
@given(COUNTS, st.fixed_dictionaries({rule.number: COUNTS for rule in RULES}), st.data())
def test_the_figures_add_up(good: int, broken: dict[int, int], data: st.DataObject) -> None:
    written = data.draw(st.integers(0, good))
    merged = data.draw(st.none() | st.builds(Merged, st.just(written), st.integers(0, good - written)))
    done = report(good=good, broken=broken, merged=merged)
    kept = done.rows_written + done.rows_superseded + done.rows_outdated
    assert done.rows_in == kept + done.rows_quarantined + done.rows_dropped
    assert done.rows_quarantined + done.rows_dropped == sum(rule.rows for rule in done.rules)
    assert done.rows_superseded == (0 if merged is None else good - merged.written - merged.outdated)


def test_rows_are_counted_by_what_became_of_them() -> None:
    done = report(good=100, broken={0: 1, 1: 2, 2: 4})
    assert (done.rows_in, done.rows_written, done.rows_quarantined, done.rows_dropped) == (107, 100, 5, 2)
    assert done.rules == [
        RuleCount("fits the schema", Action.QUARANTINE, 1),
        RuleCount("b", Action.QUARANTINE, 4),
        RuleCount("a", Action.DROP, 2),
    ]


def test_files_are_counted_and_changes_named() -> None:
    changes = Changes({"note": Primitive("string")}, {"id": Primitive("long")})
    done = report_of(SPEC, files(10, 20), RULES, Outcome(0, {0: 0, 1: 0, 2: 0}, None), changes)
    assert (done.files_loaded, done.files_skipped, done.bytes_read) == (2, 3, 30)
    assert (done.columns_added, done.columns_widened) == (["note"], ["id"])


def test_a_run_that_found_nothing_new_has_no_load() -> None:
    done = nothing_new(SPEC, 7)
    assert (done.load_id, done.files_loaded, done.files_skipped, done.rows_in) == (None, 0, 7, 0)
    assert (done.pipeline, done.table) == ("orders", "sales.orders")


def test_a_report_is_plain_json() -> None:
    body = report(good=1, broken={0: 0, 1: 0, 2: 1}).json()
    assert body["rules"][1] == {"rule": "b", "action": "quarantine", "rows": 1}
    assert body["rows_in"] == 2
