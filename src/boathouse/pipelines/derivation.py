"""Columns computed from others, in an order in which each finds what it needs."""

import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

# A string literal (skipped; Spark takes both quotes), a quoted name, or a plain word, which may begin with a digit.
_WORD = re.compile(
    r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`((?:[^`]|``)+)`|([A-Za-z0-9_]*[A-Za-z_][A-Za-z0-9_]*)"""
)


def names_in(expression: str) -> set[str]:
    """Every word of an SQL expression that could name a column, in lower case."""
    return {
        (match[1].replace("``", "`") if match[1] else match[2]).lower()
        for match in _WORD.finditer(expression)
        if match[1] or match[2]
    }


def derivation_order(derived: Mapping[str, str]) -> list[str]:
    """The derived columns, each after the ones it uses; ValueError names a cycle."""
    by_lower_case = {name.lower(): name for name in derived}
    needs = {
        # `region: upper(region)` reads the source's column of that name, so a name does not need itself.
        name: [by_lower_case[word] for word in sorted(names_in(expression) - {name.lower()}) if word in by_lower_case]
        for name, expression in derived.items()
    }
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise ValueError(f"these columns are computed from each other: {' → '.join(error.args[1])}") from None
