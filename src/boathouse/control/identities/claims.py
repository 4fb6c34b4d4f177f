"""What a provider says of somebody, once it is known that the provider says it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import EmailStr, TypeAdapter, ValidationError

from boathouse.control.database.keepable import keepable
from boathouse.control.identities.settings import OidcSettings

_STRANGE = re.compile(r"[^a-z0-9._@-]+")
_EMAIL = TypeAdapter(EmailStr)
# Room for a number behind it, where somebody has the name already.
_NAME_LENGTH = 90


@dataclass(frozen=True)
class Claims:
    issuer: str
    subject: str
    name: str
    """What they would be called here; not who they are."""
    display_name: str
    email: str | None
    groups: frozenset[str]


def claims_in(told: Mapping[str, Any], settings: OidcSettings) -> Claims:
    subject = str(told["sub"])
    return Claims(
        issuer=settings.issuer,
        subject=subject,
        name=_user_name(told.get(settings.name_claim) or told.get("email") or subject),
        display_name=keepable(str(told.get("name") or "")[:200]),
        email=_email(told),
        groups=groups_in(told, settings.groups_claim),
    )


def groups_in(told: Mapping[str, Any], claim: str) -> frozenset[str]:
    found = _found(told, claim)
    if isinstance(found, str):
        return frozenset({found})
    return frozenset(one for one in found if isinstance(one, str)) if isinstance(found, list) else frozenset()


def says_groups(told: Mapping[str, Any], claim: str) -> bool:
    return _found(told, claim) is not None


def _found(told: Mapping[str, Any], claim: str) -> Any:
    """By its name first: some providers' names are addresses, with dots in them."""
    if claim in told:
        return told[claim]
    found: Any = told
    for part in claim.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _user_name(wanted: object) -> str:
    name = _STRANGE.sub("-", str(wanted).strip().lower())[:_NAME_LENGTH].strip("._@-")
    return name if len(name) > 1 else "user"


def _email(told: Mapping[str, Any]) -> str | None:
    """Only one that the provider has verified, and only to be shown: nobody is found by it."""
    if told.get("email_verified") is not True:
        return None
    try:
        return str(_EMAIL.validate_python(told.get("email")))
    except ValidationError:
        return None
