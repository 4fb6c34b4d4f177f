"""What every database can keep: Postgres has NUL neither in text nor in JSON, and refuses all that comes with it."""

from typing import Any


def keepable(value: Any) -> Any:
    """The same, at any depth, with the sign for what cannot be shown in the place of each NUL."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {keepable(name): keepable(inner) for name, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(keepable(inner) for inner in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value
