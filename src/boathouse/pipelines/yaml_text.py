"""YAML read together with the place of every value, so that an error can point at it."""

from dataclasses import dataclass
from typing import Any

import yaml

from boathouse.kit.errors import InvalidInput

Path = tuple[str | int, ...]
# A lone `=` or `<<` means something to YAML, but as a value it can only be text.
_TEXT_TAGS = frozenset({"tag:yaml.org,2002:value", "tag:yaml.org,2002:merge"})


@dataclass(frozen=True)
class Place:
    """Counted from one, as editors do."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True)
class Document:
    value: Any
    places: dict[Path, Place]

    def place(self, path: Path) -> Place:
        """Where the value at `path` stands, or the nearest thing around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Place(1, 1))


def read_yaml(text: str, origin: str) -> Document:
    """Read one document; a mistake is an error with its line and column."""
    places: dict[Path, Place] = {}
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        value = None if node is None else _value(node, (), places, origin)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = _place(mark) if mark else Place(1, 1)
        raise InvalidInput(f"{origin}:{place}: this is not YAML: {error.problem}.", hint="Mend that line.") from error
    except RecursionError:  # an alias that holds itself, or thousands of brackets
        raise InvalidInput(f"{origin}: the values are nested without end.", hint="Write them out.") from None
    except yaml.YAMLError as error:
        raise InvalidInput(f"{origin}: this is not YAML: {error}.", hint="Save the file as UTF-8 text.") from error
    return Document(value, places)


def _value(node: yaml.Node, path: Path, places: dict[Path, Place], origin: str) -> Any:
    places.setdefault(path, _place(node.start_mark))
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, path, places, origin)
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, (*path, place), places, origin) for place, child in enumerate(node.value)]
    return _scalar(node)


def _mapping(node: yaml.MappingNode, path: Path, places: dict[Path, Place], origin: str) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key_node, child in node.value:
        place = _place(key_node.start_mark)
        if not isinstance(key_node, yaml.ScalarNode):
            raise InvalidInput(f"{origin}:{place}: a list or a mapping cannot be a key.", hint="Write a plain word.")
        key = str(key_node.value)
        if key in mapping:
            raise InvalidInput(f"{origin}:{place}: {key!r} is given twice.", hint="Keep one of them.")
        places[(*path, key)] = place
        mapping[key] = _value(child, (*path, key), places, origin)
    return mapping


def _scalar(node: yaml.Node) -> Any:
    if node.tag in _TEXT_TAGS:
        return node.value
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_object(node, deep=True)
    except ValueError:  # such as a date that does not exist: leave it as text for the schema to judge
        return node.value
    finally:
        loader.dispose()


def _place(mark: yaml.Mark) -> Place:
    return Place(mark.line + 1, mark.column + 1)
