"""What is wrong with a spec, in plain words, each mistake at its place, in the order of the lines."""

import difflib
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from boathouse.kit.complaints import in_words
from boathouse.pipelines.yaml_text import Document, Path


def explain(error: ValidationError, model: type[BaseModel], document: Document, origin: str) -> str:
    """A line for each mistake."""
    found: list[tuple[int, int, str]] = []
    for problem in error.errors(include_url=False):
        path = _written(tuple(problem["loc"]), document.value)
        message = f"unknown key{_near(path, model)}" if problem["type"] == "extra_forbidden" else in_words(problem)
        place, name = document.place(path), _name(path)
        found.append((place.line, place.column, f"{origin}:{place}: {name + ': ' if name else ''}{message}"))
    # Sorting keeps the order of mistakes at the same place.
    return "\n".join(text for _, _, text in sorted(found, key=lambda each: each[:2]))


def _written(path: Path, value: Any) -> Path:
    """Without what pydantic puts in for the kind of thing that it took a mapping for."""
    here: Any = value
    kept: list[str | int] = []
    for place, part in enumerate(path):
        if isinstance(here, dict) and part not in here and place < len(path) - 1:
            continue
        kept.append(part)
        try:
            here = here[part]
        except (LookupError, TypeError):
            here = None
    return tuple(kept)


def _name(path: Path) -> str:
    """Such as `source.format` or `expectations, item 2, check`: items are counted from one, as people do."""
    text = ""
    for before, part in zip((None, *path), path, strict=False):
        if isinstance(part, int):
            text += f", item {part + 1}"
        else:
            text += (", " if isinstance(before, int) else "." if text else "") + part
    return text


def _near(path: Path, model: type[BaseModel]) -> str:
    for part in path[:-1]:
        model = section_of(model, str(part)) or model
    known = [field.alias or name for name, field in model.model_fields.items()]
    close = difflib.get_close_matches(str(path[-1]), known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known here are {', '.join(known)}"


def section_of(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    """The model of what stands below a key, be it a mapping or a list of them; of several, the first."""
    return next(iter(sections_of(model, key)), None)


def sections_of(model: type[BaseModel], key: str) -> list[type[BaseModel]]:
    field = model.model_fields.get(key)
    kinds: tuple[Any, ...] = (field.annotation, *get_args(field.annotation)) if field else ()
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
