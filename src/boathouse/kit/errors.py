"""The one error tree. Every error a user may meet says what happened, why, and what to do next.

BoathouseError
├── InvalidInput        the caller gave something that cannot be used (400)
│   └── ConfigurationError  a setting is missing or wrong
├── Unauthenticated     nobody, or not who they say (401)
├── Forbidden           somebody, but they may not (403)
├── NotFound            the thing named is not there (404)
├── Conflict            the thing changed meanwhile, or is already there (409)
├── WorkFailed          the work was accepted and then went wrong (500)
├── Unavailable         a part that is needed does not answer (503, retryable)
└── Cancelled           somebody stopped it (499)
"""

# ruff: noqa: N818 - an error is named for what happened; that it is an error is plain from where it stands
from collections.abc import Mapping
from typing import ClassVar


class BoathouseError(Exception):
    """The root: `str(error)` is what happened and why, `hint` is what to do next."""

    code: ClassVar[str] = "internal"
    http_status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class InvalidInput(BoathouseError):
    code = "invalid-input"
    http_status = 400

    def __init__(self, message: str, *, hint: str | None = None, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message, hint=hint)
        self.fields = fields
        """What is wrong with each field, where that is known: for a form, which says it beside the field."""


class ConfigurationError(InvalidInput):
    code = "configuration"


class Unauthenticated(BoathouseError):
    code = "unauthenticated"
    http_status = 401


class Forbidden(BoathouseError):
    code = "forbidden"
    http_status = 403


class NotFound(BoathouseError):
    code = "not-found"
    http_status = 404


class Conflict(BoathouseError):
    code = "conflict"
    http_status = 409


class WorkFailed(BoathouseError):
    code = "work-failed"
    http_status = 500


class Unavailable(BoathouseError):
    code = "unavailable"
    http_status = 503
    retryable = True


class Cancelled(BoathouseError):
    code = "cancelled"
    http_status = 499
