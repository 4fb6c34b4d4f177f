"""What an answer is read into: frozen, and open to fields that a newer server adds."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainSerializer, SecretStr

Json = dict[str, Any]
# Told once: it prints as stars, and stands in clear only in JSON that somebody asked for.
Told = Annotated[SecretStr, PlainSerializer(SecretStr.get_secret_value, when_used="json")]


class Answer(BaseModel):
    model_config = ConfigDict(frozen=True)
