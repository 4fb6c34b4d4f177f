"""Secrets taken out of what is passed on: some systems say what was sent to them."""

from collections.abc import Iterable

# Shorter ones would be found in ordinary words.
_TELLING = 4


class Hidden:
    def __init__(self, secrets: Iterable[str]) -> None:
        # A longer one first, for a shorter may be part of it.
        self._secrets = sorted({one for one in secrets if len(one) >= _TELLING}, key=len, reverse=True)

    def taken_out_of(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return text
