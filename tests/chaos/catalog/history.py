"""What clients did and what they were told: recorded while it happens, judged afterwards.

Times are of one monotonic clock, so that what ended before something else began is known to have been before it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path


class Outcome(StrEnum):
    APPLIED = "applied"
    """Acknowledged, at the first attempt or at a later one under the same idempotency key."""
    REFUSED = "refused"
    """Every attempt was told that nothing was done."""
    UNKNOWN = "unknown"
    """At least one attempt was told nothing, or that nobody knows, and none was acknowledged."""


@dataclass(frozen=True)
class Commit:
    """One change of one table, or of several at once, with all its attempts."""

    id: str
    tables: Sequence[str]
    start: float
    end: float
    outcome: Outcome
    location: str | None = None
    """The version it made, as the acknowledgement says it; a transaction over several tables says none."""
    told: Sequence[str] = ()
    """What each attempt came to, for whoever reads the history."""


@dataclass(frozen=True)
class Read:
    table: str
    start: float
    end: float
    location: str
    reader: str = ""


@dataclass(frozen=True)
class Fault:
    """Told for whoever reads the history; the judge does not need it."""

    name: str
    start: float
    end: float


@dataclass(frozen=True)
class Version:
    """A metadata file as it lies in storage: the change it was made by, and the versions before it as it has them."""

    location: str
    commit: str | None
    """None for the version with which the table was created."""
    log: Sequence[str] = ()


@dataclass(frozen=True)
class History:
    commits: Sequence[Commit]
    reads: Sequence[Read]
    versions: dict[str, Sequence[Version]] = field(default_factory=dict[str, Sequence[Version]])
    """Of every table, the oldest first, as they were found once the faults were over."""

    faults: Sequence[Fault] = ()
    complaints: Sequence[str] = ()
    """What went wrong once nothing was broken any more: versions that cannot be read, clients that do not get through."""

    def keep(self, path: Path) -> None:
        """One line for each thing that happened, in the order in which they began."""
        happened = sorted([*self.commits, *self.reads, *self.faults], key=lambda one: one.start)
        lines = [json.dumps({"what": type(one).__name__.lower(), **asdict(one)}) for one in happened]
        for table, versions in self.versions.items():
            lines += [json.dumps({"what": "version", "table": table, **_without_log(one)}) for one in versions]
        lines += [json.dumps({"what": "complaint", "words": words}) for words in self.complaints]
        path.write_text("\n".join(lines) + "\n")


def _without_log(version: Version) -> dict[str, object]:
    return {"location": version.location, "commit": version.commit, "log": len(version.log)}
