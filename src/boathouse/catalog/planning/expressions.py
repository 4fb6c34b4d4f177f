"""Filters: trees of tests on columns, each test bound to a column of the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boathouse.catalog.metadata import Json
from boathouse.catalog.planning.columns import Column
from boathouse.catalog.planning.ranges import NEGATED
from boathouse.catalog.planning.values import Value


@dataclass(frozen=True)
class Test:
    """A test of a column, or of a transform of it. `json` is how the client wrote it, and reads it again."""

    operation: str
    column: Column
    transform: str
    """`identity` for the column itself."""
    literals: tuple[Value, ...]
    json: Json


@dataclass(frozen=True)
class Unjudged:
    """What cannot be judged here, such as functions we do not know. It might hold; the client judges it."""

    json: Json


@dataclass(frozen=True)
class Not:
    child: "Filter"


@dataclass(frozen=True)
class AllOf:
    children: tuple["Filter", ...]


@dataclass(frozen=True)
class AnyOf:
    children: tuple["Filter", ...]


Filter = bool | Test | Unjudged | Not | AllOf | AnyOf


def all_of(children: Sequence[Filter]) -> Filter:
    if False in children:
        return False
    kept = tuple(child for child in children if child is not True)
    return kept[0] if len(kept) == 1 else AllOf(kept) if kept else True


def any_of(children: Sequence[Filter]) -> Filter:
    if True in children:
        return True
    kept = tuple(child for child in children if child is not False)
    return kept[0] if len(kept) == 1 else AnyOf(kept) if kept else False


def none_of(child: Filter) -> Filter:
    if isinstance(child, bool):
        return not child
    return child.child if isinstance(child, Not) else Not(child)


def without_not(found: Filter) -> Filter:
    """The same filter with negations carried into its tests, so that what might match can be asked of each alone."""
    if isinstance(found, Not):
        return _negated(found.child)
    if isinstance(found, AllOf):
        return all_of([without_not(child) for child in found.children])
    if isinstance(found, AnyOf):
        return any_of([without_not(child) for child in found.children])
    return found


def might_hold(found: Filter, test: Callable[[Test], bool]) -> bool:
    """Whether a filter without negations might hold, if `test` says so of a test."""
    if isinstance(found, AllOf):
        return all(might_hold(child, test) for child in found.children)
    if isinstance(found, AnyOf):
        return any(might_hold(child, test) for child in found.children)
    return test(found) if isinstance(found, Test) else found is not False


def simplified(found: Filter, judge: Callable[[Test], Filter]) -> Filter:
    """What is left of a filter when `judge` knows how some of its tests end."""
    if isinstance(found, Test):
        return judge(found)
    if isinstance(found, AllOf):
        return all_of([simplified(child, judge) for child in found.children])
    if isinstance(found, AnyOf):
        return any_of([simplified(child, judge) for child in found.children])
    # A negation stays whole: whether a null passes "not equal", engines judge differently.
    return found


def to_json(found: Filter) -> bool | Json:
    if isinstance(found, bool):
        return found
    if isinstance(found, (Test, Unjudged)):
        return found.json
    if isinstance(found, Not):
        return {"type": "not", "child": to_json(found.child)}
    return _balanced("and" if isinstance(found, AllOf) else "or", [to_json(child) for child in found.children])


def _negated(found: Filter) -> Filter:
    if isinstance(found, bool):
        return not found
    if isinstance(found, Test):
        return Test(NEGATED[found.operation], found.column, found.transform, found.literals, found.json)
    if isinstance(found, Not):
        return without_not(found.child)
    if isinstance(found, AllOf):
        return any_of([_negated(child) for child in found.children])
    return all_of([_negated(child) for child in found.children]) if isinstance(found, AnyOf) else found


def _balanced(kind: str, parts: Sequence[bool | Json]) -> bool | Json:
    """Two and two, in halves: a thousand in a row would be nested deeper than is written or read."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return {"type": kind, "left": _balanced(kind, parts[:middle]), "right": _balanced(kind, parts[middle:])}
