"""Secrets that are kept elsewhere: in a variable of the server, or in a file such as Kubernetes mounts.

Who may write a connection must not be able to read whatever the server can, nor what was put there for others. A variable's
name begins as ours do and says whose it is; a file lies in the directory that was set aside for secrets, below its workspace.
What all may be given is `shared`, and named by platform admins alone.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from boathouse.control.access.actor import Scope
from boathouse.kit.errors import ConfigurationError, Forbidden, InvalidInput
from boathouse.kit.settings import SECRET_PREFIX

SHARED = "shared"
# Between whose a variable is and what it is called. One would not do: `A_B_C` might be the workspace's `a`, or that of `a-b`.
_BETWEEN = "__"
# As editors and `base64` leave at the end of what they write: nothing of the secret, and no header takes it.
_LINE_END = "\r\n"


@dataclass(frozen=True)
class SecretPlaces:
    directory: Path | None = None
    """Where files with secrets lie; None if there are none."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def named_by(self, scope: Scope, reference: Mapping[str, str]) -> dict[str, str]:
        """The reference as it is kept: with the workspace that it was named in. Refused if it is not for that."""
        if _owner(reference) == SHARED and not scope.actor.administers:
            raise Forbidden(
                f"{scope.actor.name} may not name a secret that is shared: it takes the role of a platform admin.",
                hint=f"Ask one, or take one of the workspace: {_form(reference, scope.workspace)}.",
            )
        self._refuse_others(reference, scope.workspace)
        if "file" in reference:
            self._file(reference["file"])
        return {**reference, "workspace": scope.workspace}

    def read(self, kept: Mapping[str, str], field: str) -> str:
        """Of the secret that a connection has as that field. What is told of a failure is told to viewers too: not where it is."""
        workspace = kept.get("workspace")
        if workspace is None:
            # Named before it mattered by whom: it may be anybody's.
            raise ConfigurationError(
                "The secret was named when every workspace might name any, and is no longer read.",
                hint="Name it again for the connection, as one of its workspace.",
            )
        self._refuse_others(kept, workspace)
        return self._variable(kept["env"], field) if "env" in kept else self._content(kept["file"], field)

    def _refuse_others(self, reference: Mapping[str, str], workspace: str) -> None:
        if _owner(reference) not in (workspace, SHARED):
            raise InvalidInput(
                f"{_named(reference)} may not be read as a secret of {workspace}.",
                hint=f"Only {_form(reference, workspace)} may; a variable's NAME has no two underscores in a row.",
            )

    def _variable(self, name: str, field: str) -> str:
        value = self.environment.get(name)
        if value is None:
            # Nothing that passes by itself, so nobody may wait for it.
            raise ConfigurationError(
                f"The variable that holds the {field} is not set.",
                hint="Set it for the server and the workers. `boathouse connection show` tells editors which it is.",
            )
        return value.rstrip(_LINE_END)

    def _content(self, name: str, field: str) -> str:
        try:
            return self._file(name).read_text().rstrip(_LINE_END)
        except (OSError, UnicodeDecodeError, InvalidInput) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            why = "it is not below the directory for secrets" if isinstance(error, InvalidInput) else why
            raise ConfigurationError(
                f"The file that holds the {field} cannot be read: {why}.",
                hint="Check that it is mounted. `boathouse connection show` tells editors which it is.",
            ) from error

    def _file(self, name: str) -> Path:
        if self.directory is None:
            raise InvalidInput(
                "No directory is set aside for secrets.", hint="Start the server with --secrets DIRECTORY."
            )
        place = self.directory / PurePath(name).parts[0]
        # Resolved both: what Kubernetes mounts are links.
        if "\0" in name or not (path := (self.directory / name).resolve()).is_relative_to(place.resolve()):
            raise InvalidInput(f"{name!r} is not below {place}.", hint="Give a path below it.")
        return path


def is_shared(kept: Mapping[str, str]) -> bool:
    """A reference that only platform admins may name, for others to use and not to learn."""
    return bool({"env", "file"} & kept.keys()) and _owner(kept) == SHARED


def _owner(reference: Mapping[str, str]) -> str | None:
    """Whose it is, by its name: a workspace's, shared, or nobody's."""
    if "file" in reference:
        parts = PurePath(reference["file"]).parts
        return parts[0] if len(parts) > 1 else None
    if not reference["env"].startswith(SECRET_PREFIX):
        return None
    # From behind: also a workspace's name may have two in a row.
    owner, _, name = reference["env"].removeprefix(SECRET_PREFIX).rpartition(_BETWEEN)
    return owner.lower().replace("_", "-") if owner and name else None


def _named(reference: Mapping[str, str]) -> str:
    return f"The file {reference['file']}" if "file" in reference else f"The variable {reference['env']}"


def _form(reference: Mapping[str, str], workspace: str) -> str:
    if "file" in reference:
        return f"{workspace}/FILE"
    return f"{SECRET_PREFIX}{workspace.upper().replace('-', '_')}{_BETWEEN}NAME"
