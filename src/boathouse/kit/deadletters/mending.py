"""What a mended text stands for: the bytes that the row or event would have had."""

import base64
import binascii
from dataclasses import dataclass

from boathouse.kit.errors import InvalidInput


@dataclass(frozen=True)
class Form:
    """How events are written."""

    name: str = "text"
    """As a spec calls it."""
    encoding: str = "utf-8"
    is_text: bool = True
    """What is none is mended as its bytes, in base64."""

    @classmethod
    def of(cls, name: str, encoding: str | None) -> "Form":
        """By what a stream's spec says of its source."""
        return cls(name, encoding if name == "text" and encoding else "utf-8", is_text=name not in {"avro", "binary"})

    def bytes_of(self, mended: str) -> bytes:
        if not self.is_text:
            return self._decoded(mended)
        try:
            return mended.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise InvalidInput(
                f"{self.encoding.upper()} has no {mended[error.start]!r}, and that is how the events are written.",
                hint="Write it otherwise.",
            ) from None
        except LookupError:
            raise InvalidInput(f"There is no encoding {self.encoding!r}.", hint="Correct source.encoding.") from None

    def text_of(self, raw: bytes) -> str:
        """To begin with, where it is mended in an editor."""
        return raw.decode(self.encoding, "replace") if self.is_text else base64.b64encode(raw).decode()

    def _decoded(self, mended: str) -> bytes:
        try:
            return base64.b64decode("".join(mended.split()), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidInput(
                f"An event in the format {self.name} is no text: it is mended as its bytes, and this is not base64.",
                hint="Write the bytes of the whole event in base64, as `base64 FILE` does.",
            ) from None
