"""NAME=VALUE, as options take it."""

from boathouse.kit.errors import InvalidInput


def pair(text: str, option: str, *, such_as: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InvalidInput(f"{option} takes a name, an equals sign and a value.", hint=f"Such as {option} {such_as}.")
    return name, value
