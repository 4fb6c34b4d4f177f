"""Derived columns are computed in an order in which each finds what it needs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.pipelines.derivation import derivation_order, names_in


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("a + B", {"a", "b"}),
        ("upper(`odd ``name`)", {"upper", "odd `name"}),
        ("concat('a', \"b\", c)", {"concat", "c"}),
        ("'it''s a' || b", {"b"}),
        (r"'it\'s a' || b", {"b"}),
        (r'"say \"a\"" || b', {"b"}),
        ("2024_total + 10", {"2024_total"}),
        ("1.5 * 10", set[str]()),
        ("''", set[str]()),
    ],
)
def test_names_are_found_and_literals_passed_over(expression: str, names: set[str]) -> None:
    assert names_in(expression) == names


def test_a_column_comes_after_the_ones_it_uses() -> None:
    order = derivation_order({"with_tax": "Amount * 1.2", "amount": "quantity * price", "label": "upper(item)"})
    assert order.index("amount") < order.index("with_tax")
    assert sorted(order) == ["amount", "label", "with_tax"]


def test_a_column_may_be_computed_from_the_source_column_of_its_name() -> None:
    assert derivation_order({"item": "upper(item)"}) == ["item"]


def test_a_cycle_is_named() -> None:
    with pytest.raises(ValueError, match=r"computed from each other: (a → c → b → a|b → a → c → b|c → b → a → c)"):
        derivation_order({"a": "b + 1", "b": "c + 1", "c": "a + 1", "d": "a"})


def test_a_name_in_a_literal_makes_no_cycle() -> None:
    assert derivation_order({"a": "concat('b', x)", "b": 'concat("c", a)', "c": "b"}) == ["a", "b", "c"]


@settings(max_examples=50)
@given(st.data())
def test_any_columns_without_a_cycle_are_ordered(data: st.DataObject) -> None:
    names = data.draw(st.permutations([f"c{n}" for n in range(8)]))
    needs = {
        name: data.draw(st.sets(st.sampled_from(names[:place]))) if place else set[str]()
        for place, name in enumerate(names)
    }
    shuffled = data.draw(st.permutations(names))
    order = derivation_order({name: " + ".join([*sorted(needs[name]), "'c0'"]) for name in shuffled})
    assert sorted(order) == sorted(names)
    assert all(order.index(need) < order.index(name) for name in names for need in needs[name])
