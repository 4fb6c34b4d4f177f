"""What a grant can stand on: a warehouse, a namespace in it, or a table or view in that."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from boathouse.catalog.names import Namespace, TableName


@dataclass(frozen=True, order=True)
class Securable:
    """Known by its name alone, whether or not it is there: a refusal must not tell."""

    warehouse: str
    levels: tuple[str, ...] = ()
    name: str = ""
    """Of a table or view, which share their names; empty for what holds them."""
    kind: str = field(default="table", compare=False)
    """What it is called in a refusal, if it has a name."""

    @classmethod
    def of_namespace(cls, warehouse: str, namespace: Namespace | None) -> "Securable":
        return cls(warehouse, namespace.levels if namespace else ())

    @classmethod
    def of_table(cls, warehouse: str, table: TableName) -> "Securable":
        return cls(warehouse, table.namespace.levels, table.name)

    def above(self) -> Iterator["Securable"]:
        """What it lies in, from the nearest up to the warehouse."""
        if self.name:
            yield Securable(self.warehouse, self.levels)
        for depth in range(len(self.levels) - 1, -1, -1):
            yield Securable(self.warehouse, self.levels[:depth])

    @property
    def path(self) -> str:
        """From the warehouse down, as people read it."""
        return ".".join(_quoted(part) for part in (self.warehouse, *self.levels, *([self.name] if self.name else [])))

    @property
    def parts(self) -> dict[str, Any]:
        """From the warehouse down, as programs read it."""
        return {"warehouse": self.warehouse, "namespace": self.levels or None, "table": self.name or None}

    def __str__(self) -> str:
        if self.name:
            return f"{self.kind} {'.'.join(_quoted(part) for part in (*self.levels, self.name))}"
        levels = ".".join(_quoted(level) for level in self.levels)
        return f"namespace {levels}" if levels else f"warehouse {self.warehouse}"


def _quoted(part: str) -> str:
    """A dot in a name is told from one between names."""
    return orjson.dumps(part).decode() if "." in part or '"' in part else part
