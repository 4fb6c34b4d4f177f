"""What names may be, said in words: a pattern tells nobody what to write."""

from typing import Any

from pydantic import ValidationError, ValidatorFunctionWrapHandler, WrapValidator


def told_as(words: str) -> WrapValidator:
    """In an annotation after its constraints: what breaks them is told so. The pattern stays in the API's description."""

    def checked(given: Any, inner: ValidatorFunctionWrapHandler) -> Any:
        try:
            return inner(given)
        except ValidationError:
            raise ValueError(words) from None

    return WrapValidator(checked)


NAME = told_as("must be 2 to 60 lower-case letters, digits, - and _, begin with a letter, and not end with - or _")
