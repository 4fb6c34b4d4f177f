"""YAML is read with the place of every value, and a mistake in it is told with its place."""

from contextlib import suppress
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.yaml_text import Place, read_yaml

TEXT = """\
source:
  path: [a.csv, b.csv]
  csv:
    header: yes
expectations:
  - check: x > 0
  - check: y > 0
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), "1:1"),
        (("source",), "1:1"),
        (("source", "path"), "2:3"),
        (("source", "path", 1), "2:17"),
        (("source", "csv", "header"), "4:5"),
        (("expectations", 1), "7:5"),
        (("expectations", 1, "check"), "7:5"),
    ],
)
def test_every_value_has_its_place(path: tuple[str | int, ...], place: str) -> None:
    assert str(read_yaml(TEXT, "s.yaml").place(path)) == place


def test_what_is_not_there_has_the_place_of_what_is_around_it() -> None:
    document = read_yaml(TEXT, "s.yaml")
    assert document.place(("source", "csv", "delimiter", "x")) == Place(3, 3)
    assert document.place(("target",)) == Place(1, 1)


def test_an_empty_document_is_none() -> None:
    assert read_yaml("# nothing\n", "s.yaml").value is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1\nb: [", "s.yaml:2:5: this is not YAML"),
        ("a: 1\n b: 2\n", "s.yaml:2:3: this is not YAML"),
        ("a: 'x\n", "s.yaml:2:1: this is not YAML"),
        ("a: !thing x\n", "s.yaml:1:4: this is not YAML"),
        ("a: 1\n---\nb: 2\n", "s.yaml:2:1: this is not YAML"),
        ("a: \x00\n", "s.yaml: this is not YAML"),
        ("a: 1\nb: 2\na: 3\n", "s.yaml:3:1: 'a' is given twice"),
        ("x: {a: 1, a: 2}\n", "s.yaml:1:11: 'a' is given twice"),
        ("? [a, b]\n: 1\n", "s.yaml:1:3: a list or a mapping cannot be a key"),
        ("a: &loop [*loop]\n", "s.yaml: the values are nested without end"),
        ("[" * 500, "s.yaml: the values are nested without end"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_yaml(text, "s.yaml")
    assert str(caught.value).startswith(complaint)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", True),
        ("010", 8),
        ("1.5", 1.5),
        ("~", None),
        ("'5'", "5"),
        ("=", "="),
        ("<<", "<<"),
        ("2026-13-45", "2026-13-45"),
        ("0x_", "0x_"),
    ],
)
def test_values_mean_what_yaml_says_or_else_their_text(written: str, value: Any) -> None:
    assert read_yaml(f"a: {written}\n", "s.yaml").value == {"a": value}


def test_keys_are_always_text() -> None:
    assert read_yaml("{on: 1, null: 2, 3: 4}", "s.yaml").value == {"on": 1, "null": 2, "3": 4}


def test_an_anchor_may_be_used_twice() -> None:
    assert read_yaml("{a: &x [1], b: *x}", "s.yaml").value == {"a": [1], "b": [1]}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50)
@given(VALUES)
def test_what_was_written_is_read(value: Any) -> None:
    assert read_yaml(yaml.safe_dump(value), "s.yaml").value == value


@settings(max_examples=50)
@given(st.text(alphabet="ab:-[]{}&*!|>'\"%@` \n\t#?,=<", max_size=40))
def test_any_text_is_read_or_refused_in_our_words(text: str) -> None:
    with suppress(InvalidInput):
        read_yaml(text, "s.yaml")
