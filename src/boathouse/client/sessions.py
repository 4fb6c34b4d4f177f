"""Links that log a browser in."""

from dataclasses import dataclass
from datetime import datetime

from boathouse.client.answers import Answer
from boathouse.client.transport import Transport


class Link(Answer):
    path: str
    """Below the server's address."""
    expires_at: datetime


@dataclass(frozen=True)
class Sessions:
    transport: Transport

    def make_link(self, *, seconds: int = 60, page: str | None = None) -> Link:
        """It works once, for so long, and logs in whoever opens it: hand it to nobody. It leads to that page, or to the first."""
        wanted = {"seconds": seconds, **({} if page is None else {"next": page})}
        return self.transport.ask("POST", "/login-links", Link, wanted)
