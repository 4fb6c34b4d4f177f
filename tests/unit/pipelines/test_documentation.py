"""docs/pipelines.md says of every key what is true."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic_core import PydanticUndefined

from boathouse.pipelines.ingest.records import LOADS, REJECTS
from boathouse.pipelines.spec import ENCODINGS, Part, PipelineSpec, parse_spec
from boathouse.pipelines.spec_keys import keys
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.spec import Rollup, StreamSpec
from boathouse.pipelines.types import PRIMITIVES

PAGE = (Path(__file__).parents[3] / "docs" / "pipelines.md").read_text()
# What a default of None stands for, in words.
WORDS_FOR_NONE = {"inferred", "none", "ISO"}
# Second names of a type, which people coming from elsewhere may write.
ALIASES = {"integer", "long"}


def rows() -> dict[str, str]:
    """The tables of keys: each key with its default as it is written."""
    return rows_between("## Every key", "## Bad rows")


def rows_between(first: str, last: str) -> dict[str, str]:
    section = PAGE[PAGE.index(first) : PAGE.index(last)]
    found = re.findall(r"^\| `([a-z_.]+)` \| (.*?) ?\| .+ \|$", section, re.MULTILINE)
    return {key: default.strip("`") for key, default in found}


def keys_of(model: type[Part], prefix: str = "") -> dict[str, Any]:
    """Every key that the models know, with its default."""
    keys: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        key = prefix + (field.alias or name)
        keys[key] = field.get_default(call_default_factory=True, validated_data={})
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, Part):
                keys |= keys_of(kind, f"{key}.")
    return keys


def written(default: Any) -> set[str]:
    """How the page may write a default."""
    if default is PydanticUndefined:
        return {""}
    if default is None:
        return WORDS_FOR_NONE
    if isinstance(default, Part):
        return {"{}"}
    if default == "":
        return {'""', "the check"}
    return {default if isinstance(default, str) else json.dumps(default)}


def test_every_key_is_described_and_no_other() -> None:
    assert rows().keys() == keys_of(PipelineSpec).keys()


def test_every_key_of_a_stream_is_described_and_no_other() -> None:
    written = rows_between("### Every key of a stream", "### What each hop promises")
    assert written.keys() == {*keys_of(StreamSpec), *keys_of(Rollup, "speed.rollups.")}


def test_every_key_can_be_listed_with_its_meaning_without_the_page() -> None:
    assert {key.name for key in keys()} == rows().keys()
    assert all(key.meaning for key in keys())
    assert {key.name: key.default for key in keys()}["malformed"] == "quarantine"


@pytest.mark.parametrize(("key", "default"), keys_of(PipelineSpec).items())
def test_a_default_is_the_one_that_is_written(key: str, default: Any) -> None:
    assert rows()[key] in written(default)


def test_the_example_is_a_spec() -> None:
    example, part, stream = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert parse_spec(example, "example.yaml").target.keys == ["id"]
    rest = "pipeline: p\nsource: {path: a.csv, format: csv}\ntarget: {table: a.b}\n"
    assert parse_spec(rest + part, "example.yaml").derive.keys() == {"amount"}
    assert isinstance(parse_any(stream, "stream.yaml"), StreamSpec)


@pytest.mark.parametrize("word", [*ENCODINGS, *sorted(PRIMITIVES.keys() - ALIASES), *LOADS, *REJECTS])
def test_encodings_types_and_columns_are_all_there(word: str) -> None:
    assert f"`{word}`" in PAGE
