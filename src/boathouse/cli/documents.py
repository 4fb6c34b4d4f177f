"""YAML files as they are sent: each of their documents, and nothing in it that JSON has no word for."""

import re
from dataclasses import replace
from datetime import date
from math import isfinite
from typing import Any

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines import yaml_text
from boathouse.pipelines.yaml_text import Document, read_yaml

# Whatever a document holds, YAML takes three dashes at the beginning of a line for nothing else.
_BEGINNING = re.compile(r"^(?=---(?:\s|$))", re.MULTILINE)


def read_documents(text: str, origin: str) -> list[Document]:
    """Those that hold something, with their places in the whole; an empty one if none does."""
    documents: list[Document] = []
    lines = 0
    for piece in _BEGINNING.split(text):
        documents.append(read_document("\n" * lines + piece, origin))
        lines += piece.count("\n")
    return [one for one in documents if one.value is not None] or documents[:1]


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
