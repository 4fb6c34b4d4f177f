"""The installation as it is told."""

from datetime import datetime

from pydantic import BaseModel

from boathouse.control.access.roles import Role


class DatabaseTold(BaseModel):
    kind: str
    """sqlite or postgresql."""
    place: str
    """A file, or host, port and name; never who logs in there."""
    revision: str | None
    """Of its tables."""


class ProviderSettings(BaseModel):
    """How people come by the identity provider, without the client's secret."""

    issuer: str
    client_id: str
    public_url: str
    label: str
    groups_claim: str
    allowed_groups: list[str]
    admin_groups: list[str]
    workspaces: dict[str, dict[str, Role]]
    passwords: bool


class Limits(BaseModel):
    request_bytes: int
    """The largest request."""
    session_seconds: int
    """How long a login lasts."""
    step_seconds: int
    """How long a step of a connection's test may take."""


class InstallationTold(BaseModel):
    version: str
    python: str
    started_at: datetime
    """When the process began that answers."""
    database: DatabaseTold
    results: str | None
    """Where the rows of runs are kept."""
    lake: str | None
    """The home of the lakehouse it belongs to."""
    secrets_directory: str | None
    """Below which connections may take secrets from files."""
    secret_variables: str
    """How the names of variables begin that connections may take secrets from."""
    web_application: bool
    """Whether it was built."""
    https: bool
    """Whether cookies are for https alone."""
    oidc: ProviderSettings | None
    limits: Limits
