"""Secrets that are kept elsewhere: in a variable of the server, or in a file such as Kubernetes mounts.

Who may write a connection must not be able to read whatever the server can: a variable's name begins as ours do, and a
file lies in the directory that was set aside for secrets.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from boathouse.kit.errors import InvalidInput, Unavailable
from boathouse.kit.settings import SECRET_PREFIX


@dataclass(frozen=True)
class SecretPlaces:
    directory: Path | None = None
    """Where files with secrets lie; None if there are none."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def refuse_unless_allowed(self, reference: Mapping[str, str]) -> None:
        if variable := reference.get("env"):
            if not variable.startswith(SECRET_PREFIX):
                raise InvalidInput(
                    f"The variable {variable} may not be read as a secret.",
                    hint=f"Only those that begin with {SECRET_PREFIX} may.",
                )
            return
        self._file(reference["file"])

    def read(self, reference: Mapping[str, str]) -> str:
        self.refuse_unless_allowed(reference)
        if variable := reference.get("env"):
            value = self.environment.get(variable)
            if value is None:
                raise Unavailable(f"The variable {variable} is not set.", hint="Set it for the server and the workers.")
            return value
        path = self._file(reference["file"])
        try:
            return path.read_text().rstrip("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(
                f"The secret in {path} cannot be read: {error}.", hint="Check that it is mounted."
            ) from error

    def _file(self, name: str) -> Path:
        if self.directory is None:
            raise InvalidInput(
                "No directory is set aside for secrets.", hint="Start the server with --secrets DIRECTORY."
            )
        path = (self.directory / name).resolve()
        if not path.is_relative_to(self.directory.resolve()):
            raise InvalidInput(f"{name} is not below {self.directory}.", hint="Give a path below it.")
        return path
