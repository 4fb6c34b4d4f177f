"""Servers that this user has logged in to from this machine, in a file that only they can read."""

import os
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from boathouse.client.answers import Told
from boathouse.kit.errors import ConfigurationError, NotFound
from boathouse.kit.files import write_private

LOCAL = "local"
"""The name of the lakehouse that `boathouse up` starts: no login is kept for it."""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Login(_Kept):
    url: str
    user: str
    token: Told
    token_id: str | None = None
    """None for a token that was brought along: it is not ours to revoke."""


class Logins(_Kept):
    current: str = LOCAL
    servers: Annotated[dict[str, Login], Field(default_factory=dict)]
    workspaces: Annotated[dict[str, str], Field(default_factory=dict)]
    """The workspace in use, by server."""

    @classmethod
    def path(cls) -> Path:
        root = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(root) / "boathouse" / "logins.json"

    @classmethod
    def load(cls) -> Self:
        path = cls.path()
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return cls.model_validate({})
        except OSError as error:
            raise ConfigurationError(
                f"The logins in {path} cannot be read: {error.strerror}.", hint="Mend that, or remove the file."
            ) from error
        except ValidationError as error:
            raise ConfigurationError(
                f"{path} is damaged: {error.error_count()} of its fields cannot be read.",
                hint="Remove it and run `boathouse login` again.",
            ) from None

    def save(self) -> Self:
        write_private(self.path(), self.model_dump_json(indent=2).encode())
        return self

    def get(self, name: str) -> Login:
        """By its name, or by its address."""
        known = self.servers.get(name) or next((one for one in self.servers.values() if one.url == name), None)
        if known is None:
            raise NotFound(
                f"You are not logged in to a server {name!r}.",
                hint=f"You are to: {', '.join((LOCAL, *self.servers))}. `boathouse login URL` adds one.",
            )
        return known

    def with_login(self, name: str, login: Login) -> Self:
        """It is the one that is used from now on."""
        return self.model_copy(update={"current": name, "servers": {**self.servers, name: login}})

    def without(self, name: str) -> Self:
        rest = {known: login for known, login in self.servers.items() if known != name}
        workspaces = {known: workspace for known, workspace in self.workspaces.items() if known != name}
        current = self.current if self.current in rest else LOCAL
        return self.model_copy(update={"current": current, "servers": rest, "workspaces": workspaces})

    def using(self, name: str) -> Self:
        if name != LOCAL:
            self.get(name)
        return self.model_copy(update={"current": name})

    def with_workspace(self, server: str, workspace: str) -> Self:
        return self.model_copy(update={"workspaces": {**self.workspaces, server: workspace}})

    def without_workspace(self, server: str, workspace: str) -> Self:
        """One that is no more is not in use there either."""
        rest = {known: used for known, used in self.workspaces.items() if (known, used) != (server, workspace)}
        return self.model_copy(update={"workspaces": rest})
