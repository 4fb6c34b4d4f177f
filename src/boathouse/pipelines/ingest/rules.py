"""Which rows pass, and why the others do not.

A row breaks at most one rule as far as its fate goes: it is malformed, else the first of the rules that stop the load,
else of those that quarantine, else of those that drop. The reason given for a rejected row names every rule it breaks.
"""

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.batch import COMPLAINT, MALFORMED, any_of
from boathouse.pipelines.spec import Action, Mode, PipelineSpec
from boathouse.pipelines.types import quoted

SEVERITY = (Action.FAIL, Action.QUARANTINE, Action.DROP)


@dataclass(frozen=True)
class Rule:
    number: int
    title: str
    action: Action
    check: str | None
    """The predicate that must be true, or None for the rule that a row must fit the schema."""

    def broken(self) -> Column:
        if self.check is None:
            return F.col(MALFORMED)
        return ~F.coalesce(F.expr(f"({self.check})").cast("boolean"), F.lit(False))


def rules_of(spec: PipelineSpec) -> list[Rule]:
    """In the order in which they decide."""
    rules = [Rule(0, "fits the schema", spec.malformed, None)]
    if spec.target.mode is Mode.MERGE:
        keys = " and ".join(f"{quoted(key)} is not null" for key in spec.target.keys)
        rules.append(Rule(1, "has its keys", spec.malformed, keys))
    first = len(rules)
    stated = [
        Rule(first + place, expectation.title, expectation.otherwise, expectation.check)
        for place, expectation in enumerate(spec.expectations)
    ]
    return rules + sorted(stated, key=lambda rule: SEVERITY.index(rule.action))


def verdict(rules: list[Rule]) -> Column:
    """The number of the rule that decides about the row, or null if it passes."""
    first, *rest = rules
    decision = F.when(first.broken(), F.lit(first.number))
    for rule in rest:
        decision = decision.when(rule.broken(), F.lit(rule.number))
    return decision


def reason(rules: list[Rule]) -> Column:
    """Every rule the row breaks, in words."""
    stated = [F.when(rule.broken(), F.lit(f"breaks: {_words(rule)}")) for rule in rules if rule.check is not None]
    told = F.coalesce(F.nullif(F.col(COMPLAINT), F.lit("")), F.lit("does not fit the schema"))
    return F.when(F.col(MALFORMED), told).otherwise(F.concat_ws("; ", *stated))


def numbers(rules: list[Rule], action: Action) -> list[int]:
    return [rule.number for rule in rules if rule.action is action]


def is_one_of(decision: Column, wanted: list[int]) -> Column:
    return any_of([F.lit(False), *(decision == number for number in wanted)])


def _words(rule: Rule) -> str:
    return rule.title if rule.title == rule.check else f"{rule.title} ({rule.check})"
