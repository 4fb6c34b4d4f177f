"""How people come by an identity provider: what `boathouse control serve --oidc FILE` reads."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, StringConstraints, ValidationError

from boathouse.control.access.roles import Role
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import ConfigurationError

_THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
_HINT = "docs/control-plane.md has an example."
Group = Annotated[str, StringConstraints(min_length=1, max_length=500)]


def is_safe_address(value: str) -> bool:
    """Whether what is sent there cannot be read or answered by somebody between."""
    parts = urlsplit(value)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _THIS_MACHINE)


def _issuer(value: str) -> str:
    if not is_safe_address(value) or urlsplit(value).query or urlsplit(value).fragment:
        raise ValueError("must be https://HOST…; http only for a provider on this machine")
    return value


def _public(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError("must be https://HOST or http://HOST, as browsers see it")
    return value.rstrip("/")


class ClientSecret(BaseModel):
    """Where it is, never what it is: one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    env: str | None = None
    file: Path | None = None

    def read(self, environment: Mapping[str, str] = os.environ) -> SecretStr:
        if (self.env is None) == (self.file is None):
            raise ConfigurationError("The client's secret has one place.", hint="Give env or file. " + _HINT)
        try:
            text = environment[self.env] if self.env else (self.file or Path()).read_text(encoding="utf-8")
        except KeyError:
            raise ConfigurationError(f"The variable {self.env} is not set.", hint="It is to hold the secret.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"The client's secret cannot be read: {error}.", hint="Check the file.") from error
        return SecretStr(text.rstrip("\n"))


class OidcSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: Annotated[str, AfterValidator(_issuer)] = Field(description="As the provider spells it.")
    client_id: str = Field(min_length=1, max_length=500)
    client_secret: ClientSecret | None = Field(default=None, description="Left out for a public client.")
    public_url: Annotated[str, AfterValidator(_public)] = Field(description="Where browsers reach the control plane.")
    label: str = Field(default="Single sign-on", min_length=1, max_length=100, description="On the button.")
    scopes: list[Group] = Field(default=["openid", "profile", "email", "groups"])
    name_claim: str = Field(default="preferred_username", description="What a new user is called after.")
    groups_claim: str = Field(default="groups", description="A name, or a path such as realm_access.roles.")
    allowed_groups: list[Group] = Field(default_factory=list, description="Who may come in; empty for everybody.")
    admin_groups: list[Group] = Field(
        default_factory=list, description="Who is platform admin; empty: not decided here."
    )
    workspaces: dict[str, dict[Group, Role]] = Field(default_factory=dict, description="Group to role, by workspace.")
    passwords: bool = Field(default=True, description="Whether local passwords still log in.")

    @property
    def redirect_uri(self) -> str:
        return f"{self.public_url}/api/v1/sessions/oidc/callback"

    @classmethod
    def load(cls, path: Path) -> Self:
        try:
            told: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}.", hint=_HINT) from error
        try:
            return cls.model_validate(told)
        except ValidationError as error:
            problems = [f"{'.'.join(map(str, one['loc']))}: {in_words(one)}" for one in error.errors(include_url=False)]
            raise ConfigurationError(f"{path} cannot be used. {'; '.join(problems)}.", hint=_HINT) from error
