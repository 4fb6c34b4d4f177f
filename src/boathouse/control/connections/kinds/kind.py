"""What a kind of connection is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from boathouse.control.connections.steps import Step


class Config(BaseModel):
    """What is not secret. Frozen, and nothing in it that the kind does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Kind(ABC):
    name: ClassVar[str]
    title: ClassVar[str]
    config: ClassVar[type[Config]]
    secrets: ClassVar[Mapping[str, str]]
    """The fields that are secret, and what each is."""
    harmless: ClassVar[frozenset[str]] = frozenset()
    """The fields of its config that lead no secret elsewhere, nor into the clear, whatever they become. Whoever changes
    another gives the secrets anew: else an editor would be told them by a server of their own."""

    def refuse_unusable(self, field: str, secret: str) -> None:  # noqa: B027 - most take any text
        """Raise InvalidInput for a secret that can never work."""

    @abstractmethod
    def steps(self, config: Any, secrets: Mapping[str, str]) -> list[Step]:
        """How to find out whether it works; `secrets` has those that were given."""
