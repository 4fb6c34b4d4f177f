"""What can be done with connections."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr, ValidationError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.access.roles import Role
from boathouse.control.connections import repository
from boathouse.control.connections.kinds import KINDS
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.models import Connection
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.schemas import (
    ConnectionChange,
    ConnectionTold,
    KindTold,
    LastTest,
    NewConnection,
    Secret,
    SecretKept,
)
from boathouse.control.connections.steps import Step, Tested, take_all
from boathouse.control.database.base import now
from boathouse.control.vault import Vault
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import ConfigurationError, Conflict, InvalidInput, NotFound
from boathouse.kit.ids import new_uuid


@dataclass(frozen=True)
class Connections:
    vault: Vault
    places: SecretPlaces

    async def create(self, session: AsyncSession, scope: Scope, wanted: NewConnection) -> Connection:
        connection = self.made(scope, wanted)
        session.add(connection)
        try:
            await session.flush()
        except IntegrityError:
            raise Conflict(f"There is a connection {wanted.name!r} already.", hint="Choose another name.") from None
        return connection

    def made(self, scope: Scope, wanted: NewConnection) -> Connection:
        """As it would be; nobody keeps it."""
        kind = kind_named(wanted.kind)
        connection = Connection(
            id=new_uuid(),
            workspace_id=scope.workspace_id,
            name=wanted.name,
            kind=kind.name,
            description=wanted.description,
            config=_checked(kind, wanted.config).model_dump(mode="json"),
            secrets={},
            updated_by=scope.actor.name,
        )
        self._keep(scope, connection, kind, wanted.secrets)
        return connection

    async def get(self, session: AsyncSession, scope: Scope, name: str) -> Connection:
        found = await repository.by_name(session, scope, name)
        if found is None:
            raise NotFound(
                f"There is no connection {name!r} in {scope.workspace}.", hint="Its connections are listed there."
            )
        return found

    async def change(self, session: AsyncSession, scope: Scope, name: str, wanted: ConnectionChange) -> Connection:
        connection = await self.get(session, scope, name)
        if wanted.description is not None:
            connection.description = wanted.description
        reached = self.as_changed(scope, connection, wanted)
        if (reached.config, reached.secrets) != (connection.config, connection.secrets):
            connection.config, connection.secrets, connection.last_test = reached.config, reached.secrets, None
        connection.updated_at, connection.updated_by = now(), scope.actor.name
        await session.flush()
        return connection

    def as_changed(self, scope: Scope, connection: Connection, wanted: ConnectionChange) -> Connection:
        """How it would connect with the change; nobody keeps it."""
        kind = kind_named(connection.kind)
        changed = Connection(
            id=connection.id,
            workspace_id=connection.workspace_id,
            name=connection.name,
            kind=connection.kind,
            config=connection.config,
            secrets=connection.secrets,
        )
        if wanted.config is not None:
            changed.config = _checked(kind, wanted.config).model_dump(mode="json")
            _refuse_leading_secrets_elsewhere(kind, connection, changed.config, wanted.secrets or {})
        if wanted.secrets is not None:
            self._keep(scope, changed, kind, wanted.secrets)
        return changed

    async def remove(self, session: AsyncSession, scope: Scope, name: str) -> None:
        await session.delete(await self.get(session, scope, name))

    def secrets_of(self, connection: Connection) -> dict[str, str]:
        """In clear: for whoever is about to connect, and nobody else."""
        return {
            field: self.vault.open(kept, connection.belongs_to(field))
            if "wrapped" in kept
            else self.places.read(kept, field)
            for field, kept in connection.secrets.items()
        }

    async def keep_test(self, session: AsyncSession, scope: Scope, tested: Connection, outcome: Tested) -> None:
        """Unless the connection was changed meanwhile: then it is not the one that was tested."""
        now_kept = await self.get(session, scope, tested.name)
        if (now_kept.config, now_kept.secrets) == (tested.config, tested.secrets):
            last = LastTest(**outcome.model_dump(), at=now(), by=scope.actor.name)
            now_kept.last_test = last.model_dump(mode="json")

    async def test(self, connection: Connection) -> Tested:
        return await self.tried(connection, kind_named(connection.kind).steps)

    async def tried(self, connection: Connection, steps: Callable[[Any, Mapping[str, str]], list[Step]]) -> Tested:
        """Take the steps with its configuration and its secrets; none of those is in what is told."""
        secrets: dict[str, str] = {}
        planned: list[Step] = []

        async def read() -> str:
            secrets.update(self.secrets_of(connection))
            return f"{len(connection.secrets)} at hand."

        async def plan() -> str:
            planned.extend(steps(_checked(kind_named(connection.kind), connection.config), secrets))
            return f"{len(planned)} steps to take."

        first = await take_all([Step("read the secrets", read)])
        if not first.ok:
            return first
        # A step of its own where it fails: what was typed can be such that there is nothing to try.
        second = await take_all([Step("read the configuration", plan)])
        rest = await take_all(planned) if second.ok else second
        return rest.after(first.steps).without(secrets.values())

    def _keep(self, scope: Scope, connection: Connection, kind: Kind, wanted: Mapping[str, Secret | None]) -> None:
        unknown = sorted(set(wanted) - set(kind.secrets))
        if unknown:
            raise InvalidInput(
                f"A connection to {kind.title} has no secret {unknown[0]!r}.",
                hint=f"It has: {', '.join(kind.secrets)}.",
            )
        kept = dict(connection.secrets)
        for field, secret in wanted.items():
            if secret is None:
                kept.pop(field, None)
            else:
                if isinstance(secret, SecretStr):
                    kind.refuse_unusable(field, secret.get_secret_value())
                kept[field] = self._kept(scope, secret, connection.belongs_to(field))
        connection.secrets = kept

    def _kept(self, scope: Scope, secret: Secret, belongs_to: str) -> dict[str, str]:
        if isinstance(secret, SecretStr):
            return self.vault.seal(secret.get_secret_value(), belongs_to)
        return self.places.named_by(scope, secret.model_dump())


def rewrap_all(connections: Iterable[Connection], vault: Vault) -> int:
    """Put every sealed secret of them under the vault's current key; how many there are."""
    count = 0
    for connection in connections:
        sealed = connection.sealed()
        try:
            rewrapped = {field: vault.rewrapped(kept, connection.belongs_to(field)) for field, kept in sealed.items()}
        except ConfigurationError as error:
            raise ConfigurationError(
                f"The connection {connection.name} (workspace id {connection.workspace_id}): {error}", hint=error.hint
            ) from error
        connection.secrets = {**connection.secrets, **rewrapped}
        count += len(sealed)
    return count


def kind_named(name: str) -> Kind:
    if name not in KINDS:
        raise InvalidInput(f"{name!r} is not a kind of connection.", hint=f"There are: {', '.join(KINDS)}.")
    return KINDS[name]


def kinds_told() -> list[KindTold]:
    return [
        KindTold(
            name=kind.name,
            title=kind.title,
            config=kind.config.model_json_schema(),
            secrets=dict(kind.secrets),
            harmless=sorted(kind.harmless),
        )
        for kind in KINDS.values()
    ]


def told(connection: Connection, scope: Scope) -> ConnectionTold:
    """Where a secret is, is for those who may name one."""
    names_places = scope.role.covers(Role.EDITOR)
    return ConnectionTold(
        id=connection.id,
        name=connection.name,
        kind=connection.kind,
        description=connection.description,
        config=connection.config,
        secrets={field: _place(kept, named=names_places) for field, kept in connection.secrets.items()},
        created_at=connection.created_at,
        updated_at=connection.updated_at,
        updated_by=connection.updated_by,
        last_test=LastTest.model_validate(connection.last_test) if connection.last_test else None,
    )


def _place(kept: Mapping[str, str], *, named: bool) -> SecretKept:
    if "env" in kept:
        return SecretKept(kept="variable", place=kept["env"] if named else None)
    if "file" in kept:
        return SecretKept(kept="file", place=kept["file"] if named else None)
    return SecretKept(kept="sealed")


def _checked(kind: Kind, config: Mapping[str, Any]) -> Config:
    try:
        return kind.config.model_validate(config)
    except ValidationError as error:
        fields = {".".join(map(str, one["loc"])): in_words(one) for one in error.errors(include_url=False)}
        problems = "; ".join(f"{place}: {words}" if place else words for place, words in fields.items())
        raise InvalidInput(
            f"The configuration of {kind.title} cannot be used. {problems}.",
            hint="What it takes is at /api/v1/connection-kinds.",
            fields={f"config.{place}": words for place, words in fields.items() if place},
        ) from error


def _refuse_leading_secrets_elsewhere(
    kind: Kind, connection: Connection, config: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    """An editor may use a secret but is not told it: also not by a server of theirs that it is sent to."""
    changed = sorted(
        name for name in config if config[name] != connection.config.get(name) and name not in kind.harmless
    )
    left = sorted(field for field in connection.secrets if field not in given)
    if changed and left:
        words = f"must be given again, for {changed[0]} changes"
        raise InvalidInput(
            f"With another {changed[0]}, the secrets of {connection.name} would be sent elsewhere.",
            hint=f"Give {', '.join(left)} again, or remove it.",
            fields={f"secrets.{field}": words for field in left},
        )
