from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from boathouse.control.jobs.parameters import Parameter, ParameterType, filled, names_in, settled
from boathouse.kit.errors import InvalidInput

DAY = Parameter(name="day", type=ParameterType.DATE)


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        ("string", "x", "x"),
        ("integer", "41", 41),
        ("integer", 41, 41),
        ("number", "1.5", 1.5),
        ("boolean", "true", True),
        ("date", "2026-02-01", "2026-02-01"),
        ("timestamp", "2026-02-01T10:00:00Z", "2026-02-01T10:00:00+00:00"),
    ],
)
def test_a_value_is_kept_as_its_type_has_it(kind: str, given: Any, kept: Any) -> None:
    assert settled([Parameter(name="p", type=ParameterType(kind))], {"p": given}) == {"p": kept}


@pytest.mark.parametrize(("kind", "wrong"), [("string", 1), ("integer", "x"), ("integer", 2**63), ("number", "nan")])
def test_a_value_of_another_type_is_refused(kind: str, wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="the parameter p"):
        settled([Parameter(name="p", type=ParameterType(kind))], {"p": wrong})


def test_choices_are_compared_as_their_type_has_them() -> None:
    size = Parameter(name="size", type=ParameterType.INTEGER, choices=[1, 2], default=1)
    assert settled([size], {"size": "2"}) == {"size": 2}
    with pytest.raises(InvalidInput, match="must be one of 1, 2"):
        settled([size], {"size": 3})


def test_a_default_must_fit() -> None:
    with pytest.raises(ValidationError, match="must be one of"):
        Parameter(name="size", choices=["small"], default="large")


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_names_no_parameter_stays_as_it_is(value: Any) -> None:
    if not names_in(value):
        assert filled(value, {}) == value


def test_places_are_filled_however_deep_they_lie() -> None:
    value = {"a": ["{{day}}", {"b": "x {{ day }} {{flag}}"}], "n": 1}
    assert names_in(value) == {"day", "flag"}
    assert filled(value, {"day": "2026-02-01", "flag": True}) == {
        "a": ["2026-02-01", {"b": "x 2026-02-01 true"}],
        "n": 1,
    }
