"""Errors as answers: always `{"error": {"code", "message", "hint", "request_id"}}`."""

from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from boathouse.control.http.bodies import LARGEST
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import BoathouseError, InvalidInput


class Problem(BaseModel):
    code: str
    message: str
    hint: str | None = None
    request_id: str
    retry_after: int | None = None
    fields: dict[str, str] | None = Field(default=None, description="What is wrong with each field, where it is known.")


class ErrorAnswer(BaseModel):
    error: Problem


class TooManyRequests(BoathouseError):  # noqa: N818 - named as the tree it belongs to
    code = "too-many-requests"
    http_status = 429
    retryable = True

    def __init__(self, message: str, *, hint: str, retry_after: int) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


def answer(
    request: Request, status: int, code: str, message: str, hint: str | None = None, **more: Any
) -> JSONResponse:
    # For the line in the log.
    request.state.error_code = code
    problem = Problem(code=code, message=message, hint=hint, request_id=request.state.request_id, **more)
    headers = {"Retry-After": str(problem.retry_after)} if problem.retry_after is not None else None
    return JSONResponse(ErrorAnswer(error=problem).model_dump(exclude_none=True), status, headers)


def install(app: FastAPI) -> None:
    app.add_exception_handler(BoathouseError, _ours)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(Exception, _unexpected)


def _ours(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, BoathouseError)  # noqa: S101 - as it was registered
    more: dict[str, Any] = {}
    if isinstance(error, TooManyRequests):
        more = {"retry_after": error.retry_after}
    elif isinstance(error, InvalidInput) and error.fields:
        more = {"fields": dict(error.fields)}
    return answer(request, error.http_status, error.code, str(error), error.hint, **more)


def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - as it was registered
    fields: Mapping[str, str] = dict(_told(problem) for problem in error.errors()[:10])
    told = "; ".join(f"{place}: {words}" for place, words in fields.items())
    hint = "The API's description is at /api/v1/openapi.json."
    return answer(request, 422, "invalid-input", f"The request cannot be read. {told}.", hint, fields=fields)


def _told(problem: Any) -> tuple[str, str]:
    if problem["type"] != "json_invalid":
        return _place(problem["loc"]), in_words(problem)
    rule = "A character is written whole, both halves of it, and a number is finite"
    return "body", f"is no JSON: {problem['ctx']['error']}. {rule}"


def _place(location: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body") or "body"


def _framework(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - as it was registered
    codes = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}
    told = {
        404: f"There is nothing at {request.url.path}.",
        405: f"{request.method} is not possible here.",
        413: f"The request is larger than {LARGEST // 1024 // 1024} MB. Large files belong into object storage.",
    }
    message = told.get(error.status_code, str(error.detail))
    return answer(request, error.status_code, codes.get(error.status_code, "refused"), message)


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    structlog.get_logger().error("unexpected", request_id=request.state.request_id, exc_info=error)
    message = "Something went wrong that should not have."
    hint = "Nothing was changed. The server's log has the details under the request id."
    told = answer(request, 500, "internal", message, hint)
    # Whoever gives an id to all other answers is passed by then.
    told.headers["X-Request-Id"] = request.state.request_id
    return told
