"""The rules of a spec stand in the order in which they decide about a row."""

import pytest

from boathouse.pipelines.ingest.rules import numbers, rules_of
from boathouse.pipelines.spec import Action, PipelineSpec, parse_spec

SPEC = """
pipeline: orders
source: {path: a.csv, format: csv}
schema: {id: int, "the key": string}
expectations:
  - {check: a, otherwise: drop}
  - {check: b}
  - {check: c, name: see, otherwise: fail}
  - {check: d, otherwise: fail}
  - {check: e, otherwise: drop}
target: {table: sales.orders}
"""


def spec_of(text: str = SPEC) -> PipelineSpec:
    return parse_spec(text, "s.yaml")


def test_a_row_must_first_fit_then_the_gravest_rule_decides() -> None:
    rules = rules_of(spec_of())
    assert [rule.title for rule in rules] == ["fits the schema", "see", "d", "b", "a", "e"]
    assert [rule.action for rule in rules] == [
        Action.QUARANTINE, Action.FAIL, Action.FAIL, Action.QUARANTINE, Action.DROP, Action.DROP,
    ]  # fmt: skip


def test_every_rule_has_a_number_of_its_own() -> None:
    rules = rules_of(spec_of())
    assert sorted(rule.number for rule in rules) == list(range(6))
    assert [rules[0].number, rules[0].check] == [0, None]


@pytest.mark.parametrize("action", list(Action))
def test_the_numbers_of_an_action_are_those_of_its_rules(action: Action) -> None:
    rules = rules_of(spec_of(SPEC + f"malformed: {action}\n"))
    assert 0 in numbers(rules, action)
    assert sorted(n for kind in Action for n in numbers(rules, kind)) == list(range(6))


def test_a_merge_needs_its_keys_before_anything_is_expected() -> None:
    merged = SPEC.replace("sales.orders}", "sales.orders, mode: merge, keys: [id, the key]}") + "malformed: drop\n"
    keys = rules_of(spec_of(merged))[1]
    assert (keys.title, keys.check, keys.action) == (
        "has its keys",
        "`id` is not null and `the key` is not null",
        Action.DROP,
    )
    assert sorted(rule.number for rule in rules_of(spec_of(merged))) == list(range(7))


def test_a_spec_without_expectations_has_one_rule() -> None:
    text = SPEC[: SPEC.index("expectations")] + "target: {table: sales.orders}\n"
    assert [rule.title for rule in rules_of(spec_of(text))] == ["fits the schema"]
