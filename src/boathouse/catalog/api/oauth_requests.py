"""What a request for a token holds: a form, the client's credentials in it or in a header, and a scope."""

from base64 import b64decode
from urllib.parse import parse_qsl, unquote_plus

from starlette.requests import Request

from boathouse.catalog.api.requests import body_of
from boathouse.catalog.errors import TokenRefused

Form = dict[str, str]

# Anybody may send one, so little is read.
_LARGEST_BODY = 64 * 1024
_MOST_FIELDS = 32
_FORM = "application/x-www-form-urlencoded"
# What Iceberg's clients and DuckDB ask for unless told otherwise: all that the principal may do.
_EVERYTHING = frozenset({"catalog", "PRINCIPAL_ROLE:ALL"})
_ONE_WAREHOUSE = "warehouse:"


async def form_of(request: Request) -> Form:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise TokenRefused("invalid_request", f"the body must be {_FORM}")
    body = await body_of(request, largest=_LARGEST_BODY)
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError:
        raise TokenRefused("invalid_request", "the body cannot be read as a form") from None
    if len({name for name, _ in fields}) != len(fields):
        raise TokenRefused("invalid_request", "a parameter is given twice")
    return dict(fields)


def credentials_of(request: Request, form: Form) -> tuple[str, str] | None:
    """The client's name and secret, from the one place where they are given; None if they are not."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    basic = _basic(encoded) if scheme.lower() == "basic" else None
    if basic and "client_secret" in form:
        raise TokenRefused("invalid_request", "the client's secret is given twice")
    if basic:
        return basic
    return (form.get("client_id", ""), form["client_secret"]) if "client_secret" in form else None


def scope_of(form: Form) -> str | None:
    """The warehouse a token is to be limited to, if it is."""
    asked = [scope for scope in form.get("scope", "").split() if scope not in _EVERYTHING]
    if not asked:
        return None
    name = asked[0].removeprefix(_ONE_WAREHOUSE)
    if len(asked) > 1 or not name.isidentifier() or name == asked[0]:
        raise TokenRefused("invalid_scope", "scope must be catalog, or warehouse:NAME to limit the token to one")
    return name


def _basic(encoded: str) -> tuple[str, str]:
    """Each part is encoded like a form's (RFC 6749); our names and secrets read the same with and without that."""
    try:
        name, _, secret = b64decode(encoded.strip(), validate=True).decode().partition(":")
    except ValueError:
        raise TokenRefused("invalid_client", "the Basic header cannot be read") from None
    return unquote_plus(name), unquote_plus(secret)
