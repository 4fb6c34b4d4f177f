"""Which operation a request asks for, by the words of its path.

Starlette tries one pattern after another, inside two layers that handle what the gate handles. It is still asked about every request
that no operation is found for: it knows what to say of a wrong method, or of a slash too many.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from boathouse.catalog.api.operations import Operation


@dataclass(frozen=True)
class _Shape:
    operation: Operation
    words: tuple[str, ...]
    words_of: Callable[[Sequence[str]], tuple[str, ...]]
    """What stands in a path where this one has its words."""
    parameters: tuple[str, ...]
    values_of: Callable[[Sequence[str]], tuple[str, ...]]

    def parameters_of(self, parts: list[str]) -> dict[str, str] | None:
        if self.words_of(parts) != self.words:
            return None
        values = self.values_of(parts)
        return dict(zip(self.parameters, values, strict=True)) if all(values) else None


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
            parameters = shape.parameters_of(parts)
            if parameters is not None:
                return shape.operation, parameters
        return None


def _shape(operation: Operation) -> _Shape:
    parts = operation.path_format.split("/")
    words = [place for place, part in enumerate(parts) if not part.startswith("{")]
    values = [place for place, part in enumerate(parts) if part.startswith("{")]
    names = tuple(parts[place][1:-1] for place in values)
    return _Shape(operation, tuple(parts[place] for place in words), _those_at(words), names, _those_at(values))


def _those_at(places: list[int]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    if len(places) < 2:  # of one place the library gives what stands there, not a tuple
        return lambda parts: tuple(parts[place] for place in places)
    return itemgetter(*places)
