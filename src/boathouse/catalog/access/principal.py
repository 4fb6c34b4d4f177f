"""A principal: somebody, or some program, that the catalog knows by name."""

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from boathouse.catalog.access.grants import Grant
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.errors import IllegalArgument

# No colon, which ends the name in `credential=NAME:SECRET`, and nothing that a URL or a shell would read otherwise.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,99}")


@dataclass(frozen=True)
class SecretHash:
    number: int
    """Which of the principal's secrets it is, counted from 1. A token says by which it was obtained."""
    digest: str
    ends: int | None = None
    """When it stops being good, if it was replaced."""


@dataclass(frozen=True)
class Principal:
    name: str
    id: str
    """Never given twice: a principal that is created anew under the same name is another one."""
    created: int
    salt: str
    secrets: tuple[SecretHash, ...]
    grants: tuple[Grant, ...] = ()

    def secrets_at(self, now: float) -> tuple[SecretHash, ...]:
        return tuple(one for one in self.secrets if one.ends is None or now < one.ends)

    def secret_with(self, digest: str, now: float) -> SecretHash | None:
        """The secret that has this hash, compared in constant time, if it is still good."""
        return next((one for one in self.secrets_at(now) if hmac.compare_digest(one.digest, digest)), None)

    def with_secret(self, digest: str, now: int, grace: int) -> "Principal":
        """With a new secret; those before it end at once, or after the grace."""
        last = max(one.number for one in self.secrets)
        ending = tuple(replace(one, ends=min(one.ends or now + grace, now + grace)) for one in self.secrets_at(now))
        kept = ending if grace else ()
        return replace(self, secrets=(*kept, SecretHash(last + 1, digest)))

    def encoded(self) -> bytes:
        return orjson.dumps(
            {
                "name": self.name,
                "id": self.id,
                "created": self.created,
                "salt": self.salt,
                "secrets": [{"number": one.number, "digest": one.digest, "ends": one.ends} for one in self.secrets],
                "grants": [_grant_json(grant) for grant in self.grants],
            }
        )

    @classmethod
    def decoded(cls, value: bytes) -> "Principal":
        json = orjson.loads(value)
        return cls(
            json["name"],
            json["id"],
            json["created"],
            json["salt"],
            tuple(SecretHash(one["number"], one["digest"], one["ends"]) for one in json["secrets"]),
            tuple(_grant(grant) for grant in json["grants"]),
        )


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def new_principal(name: str, digest: str, salt: str, now: int, grants: Sequence[Grant] = ()) -> Principal:
    if not is_name(name):
        raise IllegalArgument(
            f"Invalid principal name: {name!r}", hint="Use up to 100 letters, digits and the characters . _ @ -"
        )
    return Principal(name, secrets.token_hex(8), now, salt, (SecretHash(1, digest),), tuple(grants))


def _grant_json(grant: Grant) -> dict[str, Any]:
    on = grant.securable
    return {"privilege": grant.privilege, "warehouse": on.warehouse, "namespace": on.levels, "name": on.name}


def _grant(json: dict[str, Any]) -> Grant:
    on = Securable(json["warehouse"], tuple(json["namespace"]), json["name"])
    return Grant(on, Privilege(json["privilege"]))
