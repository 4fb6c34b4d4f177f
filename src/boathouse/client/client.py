"""The client itself: a connection, and the nouns that can be asked for over it."""

from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from pydantic import SecretStr

from boathouse.client.answers import Answer
from boathouse.client.audit import Audit
from boathouse.client.connections import Connections
from boathouse.client.datasets import Datasets
from boathouse.client.installation import Installation
from boathouse.client.jobs import Jobs
from boathouse.client.lineage import Lineage
from boathouse.client.notifications import Notifications
from boathouse.client.pipelines import Pipelines
from boathouse.client.queries import Queries
from boathouse.client.runs import Runs
from boathouse.client.services import Services
from boathouse.client.sessions import Sessions
from boathouse.client.tokens import Tokens
from boathouse.client.transport import Transport
from boathouse.client.users import Users
from boathouse.client.workers import Workers
from boathouse.client.workspaces import Workspaces

_CSRF_HEADER = "X-Boathouse-CSRF"


class LoggedIn(Answer):
    csrf: str


class ControlClient:
    def __init__(self, url: str, token: SecretStr | None = None, *, timeout: float = 60.0) -> None:
        self.transport = Transport(url, token, timeout=timeout)
        self.sessions = Sessions(self.transport)
        self.users = Users(self.transport)
        self.tokens = Tokens(self.transport)
        self.workspaces = Workspaces(self.transport)
        self.connections = Connections(self.transport)
        self.datasets = Datasets(self.transport)
        self.lineage = Lineage(self.transport)
        self.jobs = Jobs(self.transport)
        self.runs = Runs(self.transport)
        self.pipelines = Pipelines(self.transport)
        self.notifications = Notifications(self.transport)
        self.workers = Workers(self.transport)
        self.services = Services(self.transport)
        self.queries = Queries(self.transport)
        self.audit = Audit(self.transport)
        self.installation = Installation(self.transport)

    @property
    def url(self) -> str:
        return self.transport.url

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.transport.close()


@contextmanager
def logged_in(url: str, name: str, password: SecretStr) -> Generator[ControlClient]:
    """A client by password instead of token, logged out at the end."""
    with ControlClient(url) as client:
        body = {"name": name, "password": password.get_secret_value()}
        told = client.transport.ask("POST", "/login", LoggedIn, body)
        client.transport.http.headers[_CSRF_HEADER] = told.csrf
        try:
            yield client
        finally:
            client.transport.tell("POST", "/logout")
