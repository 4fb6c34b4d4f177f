"""YAML files as they are sent: with nothing in them that JSON has no word for."""

from dataclasses import replace
from datetime import date
from math import isfinite
from typing import Any

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines import yaml_text
from boathouse.pipelines.yaml_text import Document, read_yaml


def read_document(text: str, origin: str) -> Document:
    document = read_yaml(text, origin)
    return replace(document, value=_sendable(document.value, (), document, origin))


def _sendable(value: Any, path: yaml_text.Path, document: Document, origin: str) -> Any:
    if isinstance(value, dict):
        return {key: _sendable(inner, (*path, key), document, origin) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list):
        return [_sendable(inner, (*path, place), document, origin) for place, inner in enumerate(value)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, date):  # with a time or without
        return value.isoformat()
    if isinstance(value, bytes) or (isinstance(value, float) and not isfinite(value)):
        raise InvalidInput(
            f"{origin}:{document.place(path)}: {value!r} cannot be sent.", hint="Quote it if it is meant as text."
        )
    return value
