"""Which operation a request asks for, by the words of its path.

Starlette tries one pattern after another, inside two layers that handle what the gate handles. It is still asked about every request
that no operation is found for: it knows what to say of a wrong method, or of a slash too many.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from boathouse.catalog.api.operations import Operation


@dataclass(frozen=True)
class _Shape:
    operation: Operation
    words: tuple[tuple[int, str], ...]
    """What stands where in the path."""
    parameters: tuple[tuple[int, str], ...]

    def fits(self, parts: list[str]) -> bool:
        return all(parts[place] == word for place, word in self.words) and all(
            parts[place] for place, _ in self.parameters
        )


class Routing:
    def __init__(self, operations: Iterable[Operation]) -> None:
        self._shapes: defaultdict[tuple[str, int], list[_Shape]] = defaultdict(list)
        for operation in operations:
            shape = _shape(operation)
            self._shapes[operation.method, len(shape.words) + len(shape.parameters)].append(shape)

    def find(self, method: str, path: str) -> tuple[Operation, dict[str, str]] | None:
        """The operation, and the parameters that its path names."""
        parts = path.split("/")
        for shape in self._shapes.get((method, len(parts)), ()):
            if shape.fits(parts):
                return shape.operation, {name: parts[place] for place, name in shape.parameters}
        return None


def _shape(operation: Operation) -> _Shape:
    parts = list(enumerate(operation.path_format.split("/")))
    parameters = tuple((place, part[1:-1]) for place, part in parts if part.startswith("{"))
    return _Shape(operation, tuple((place, part) for place, part in parts if not part.startswith("{")), parameters)
