"""What every database can keep: Postgres has NUL neither in text nor in JSON, and refuses all that comes with it.

Half a character, as JSON may have one, can be kept by none.
"""

import re
from typing import Any

_UNKEEPABLE = re.compile("[\\0\ud800-\udfff]")


def keepable(value: Any) -> Any:
    """The same, at any depth, with the sign for what cannot be shown in the place of each."""
    if isinstance(value, str):
        return _UNKEEPABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {keepable(name): keepable(inner) for name, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(keepable(inner) for inner in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value
