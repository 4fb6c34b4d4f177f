"""Events that are objects of the columns and of nothing else, with every name there."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.pipelines.stream.plain.columns import arrow_type, made, read_as, require, require_none_tiny
from boathouse.pipelines.stream.plain.reading import PlainReader, objects
from boathouse.pipelines.types import ColumnType, Decimal

pc: Any = _compute
# A double has so many digits for certain. Spark makes one of a number with an exponent, and Arrow does not.
_DIGITS_OF_A_DOUBLE = 15
MESSAGE_KEY = "key"
_WITH_EXPONENT = "[0-9.][eE][-+0-9]"


@dataclass
class PlainEvents(PlainReader):
    columns: Mapping[str, ColumnType]
    never: str
    keys: AbstractSet[str] = frozenset()
    """Without which it is nobody's row; among them may be that of the message."""

    def of(self, messages: Any) -> Any:
        """Of whole messages. One that lacks the key it should have is somebody else's to look at."""
        keys, values = messages[MESSAGE_KEY], messages["value"]
        if MESSAGE_KEY in self.keys and keys.null_count:
            values = pc.if_else(pc.is_valid(keys), values, pa.scalar(None, values.type))
        return self.read(values)

    def fields(self) -> Mapping[str, Any]:
        return {name: arrow_type(kind) for name, kind in self.columns.items()}

    def values(self, messages: Any) -> list[Any]:
        schema = pa.schema([(name, read_as(kind)) for name, kind in self.columns.items()])
        if any(isinstance(kind, Decimal) for kind in self.columns.values()):
            require_none_tiny(messages)
        texts, lines, table = objects(messages, schema, never=self.never, others="error")
        if any(isinstance(kind, Decimal) and kind.precision > _DIGITS_OF_A_DOUBLE for kind in self.columns.values()):
            require(not pc.any(pc.match_substring_regex(texts, _WITH_EXPONENT)).as_py())
        found: list[Any] = []
        for name, kind in self.columns.items():
            column = table.column(name).combine_chunks()
            if column.null_count:
                require(name not in self.keys)
                # It is there and is nothing, or it is not there. As a name it stands nowhere else and once in each, or
                # Arrow refuses it, so they can be counted.
                require(lines.count(f'"{name}":'.encode()) == len(messages))
            found.append(made(column, kind))
        return found
