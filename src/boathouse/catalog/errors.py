"""What the catalog answers when it cannot do as asked.

`code` is the exception's name in Iceberg's reference implementation: clients choose their own exception by it.

BoathouseError
├── InvalidInput
│   ├── BadRequest            the request cannot be read (400)
│   ├── IllegalArgument       it can be read, but names something that cannot be (400)
│   ├── Validation            the metadata would no longer be valid (400)
│   ├── Unprocessable         the request contradicts itself or an earlier one (422)
│   ├── Unsupported           it asks for what is not done here (406)
│   └── TooLarge              the body is larger than is read (413)
├── Unauthenticated
│   ├── NotAuthorized         the token is missing or wrong (401)
│   └── TokenRefused          no token is issued; told in OAuth2's own form (400 or 401)
├── Unavailable
│   └── TooManyLogins         more callers wait for a token than can be looked at (429, retryable)
├── Forbidden                 the caller lacks a grant, and is told which (403)
├── NotFound
│   ├── NoSuchWarehouse, NoSuchNamespace, NoSuchTable, NoSuchView, NoSuchFunction, NoSuchPrincipal,
│   │   NoSuchPlanId, NoSuchPlanTask
│   └── NoSuchFile            a metadata file is not where it was said to be
├── Conflict
│   ├── AlreadyExists, NamespaceNotEmpty
│   └── CommitFailed          it changed meanwhile, or a requirement does not hold
│       └── CommitContended   others were faster every time (retryable)
└── WorkFailed
    └── CommitStateUnknown    the store gave no answer: the change may have happened (500)
"""

from boathouse.kit.errors import (
    BoathouseError,
    Conflict,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
    WorkFailed,
)
from boathouse.kit.errors import Forbidden as KitForbidden


class BadRequest(InvalidInput):
    code = "BadRequestException"


class IllegalArgument(InvalidInput):
    code = "IllegalArgumentException"


class Validation(InvalidInput):
    code = "ValidationException"


class Unprocessable(InvalidInput):
    code = "UnprocessableEntityException"
    http_status = 422


class Unsupported(InvalidInput):
    code = "UnsupportedOperationException"
    http_status = 406


class TooLarge(InvalidInput):
    code = "RequestTooLargeException"
    http_status = 413


class NotAuthorized(Unauthenticated):
    code = "NotAuthorizedException"


class TokenRefused(Unauthenticated):
    """`kind` is one of OAuth2's own error codes."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = 401 if kind == "invalid_client" else 400

    def body(self) -> dict[str, str]:
        return {"error": self.kind, "error_description": str(self)}


class TooManyLogins(Unavailable):
    code = "TooManyRequestsException"
    http_status = 429


class Forbidden(KitForbidden):
    code = "ForbiddenException"


class NoSuchWarehouse(NotFound):
    code = "NoSuchWarehouseException"


class NoSuchNamespace(NotFound):
    code = "NoSuchNamespaceException"


class NoSuchTable(NotFound):
    code = "NoSuchTableException"


class NoSuchView(NotFound):
    code = "NoSuchViewException"


class NoSuchPrincipal(NotFound):
    code = "NoSuchPrincipalException"


class NoSuchFunction(NotFound):
    code = "NoSuchFunctionException"


class NoSuchPlanId(NotFound):
    code = "NoSuchPlanIdException"


class NoSuchPlanTask(NotFound):
    code = "NoSuchPlanTaskException"


class NoSuchFile(NotFound):
    """Told from a missing table by its code alone, as clients expect it."""

    code = "NotFoundException"


class AlreadyExists(Conflict):
    code = "AlreadyExistsException"


class NamespaceNotEmpty(Conflict):
    code = "NamespaceNotEmptyException"


class CommitFailed(Conflict):
    code = "CommitFailedException"


class CommitStateUnknown(WorkFailed):
    code = "CommitStateUnknownException"


class CommitContended(CommitFailed):
    """Others were faster, again and again. Unlike a requirement that does not hold, trying again may succeed."""

    retryable = True


def error_body(error: BoathouseError) -> dict[str, object]:
    """The error as the specification writes it."""
    message = f"{error} {error.hint}" if error.hint else str(error)
    return {"error": {"message": message, "type": _java_name(error), "code": error.http_status}}


def _java_name(error: BoathouseError) -> str:
    """Errors of the kit have codes of their own; clients know these."""
    return {
        "invalid-input": "BadRequestException",
        "configuration": "BadRequestException",
        "forbidden": "ForbiddenException",
        "not-found": "NotFoundException",
        "conflict": "AlreadyExistsException",
        "unavailable": "ServiceUnavailableException",
        "internal": "InternalServerError",
    }.get(error.code, error.code)
