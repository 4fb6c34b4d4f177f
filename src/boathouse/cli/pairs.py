"""NAME=VALUE, as options take it."""

from boathouse.kit.errors import InvalidInput


def pair(text: str, option: str) -> tuple[str, str]:
    field, equals, value = text.partition("=")
    if not field or not equals:
        raise InvalidInput(f"{option} takes FIELD=VALUE.", hint=f"Such as {option} host=db.example.org.")
    return field, value
