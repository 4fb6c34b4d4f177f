"""Every key of a spec with its default and its meaning, read off the models themselves."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.spec_complaints import sections_of


@dataclass(frozen=True)
class Key:
    name: str
    required: bool
    default: str
    """As YAML would have it; empty where leaving the key out means something else than a value."""
    meaning: str


def keys(model: type[BaseModel] = PipelineSpec, prefix: str = "") -> Iterator[Key]:
    """In the order in which a spec is read."""
    for name, field in model.model_fields.items():
        full = prefix + (field.alias or name)
        yield Key(full, field.is_required(), _default(field), field.description or "")
        known: set[str] = set()
        for section in sections_of(model, name):
            # Sorts of the same thing share some of their keys.
            found = [key for key in keys(section, f"{full}.") if key.name not in known]
            known |= {key.name for key in found}
            yield from found


def _default(field: FieldInfo) -> str:
    value: Any = None if field.is_required() else field.get_default(call_default_factory=True, validated_data={})
    if value is None:
        return ""
    if isinstance(value, BaseModel):
        return "{}"
    return str(value) if isinstance(value, StrEnum) else json.dumps(value)
