"""What a job or a query asks of a connection: that it is there, and is of the kind that can do it."""

from dataclasses import dataclass

from boathouse.control.connections.models import Connection
from boathouse.control.connections.references import is_shared
from boathouse.kit.errors import InvalidInput

_WITHOUT = "without one it runs on the lake's own Spark."


@dataclass(frozen=True)
class NeededConnection:
    name: str
    kind: str | None = None
    """None if any will do."""

    def found(self, connection: Connection | None) -> Connection:
        """The connection, or why it cannot be used."""
        if connection is None:
            raise InvalidInput(
                f"There is no connection {self.name!r} in the workspace.",
                hint=f"Make it first, or name another{'; ' + _WITHOUT if self.kind else '.'}",
            )
        if self.kind not in {None, connection.kind}:
            raise InvalidInput(
                f"The connection {self.name!r} is of the kind {connection.kind}, and SQL runs on {self.kind}.",
                hint=f"Name one of the kind {self.kind}; {_WITHOUT}",
            )
        return connection

    def tells_shared(self, connection: Connection) -> bool:
        """Whether it hands on a secret that is shared: to a program, which takes any kind and is told what it takes."""
        return self.kind is None and any(is_shared(kept) for kept in connection.secrets.values())
