"""Secrets taken out of what is passed on: some systems say what was sent to them."""

import json
from collections.abc import Iterable, Iterator

# Shorter ones would be found in ordinary words.
_TELLING = 4


class Hidden:
    def __init__(self, secrets: Iterable[str]) -> None:
        # A longer one first, for a shorter may be part of it.
        forms = {form for secret in secrets for form in _forms(secret) if len(form) >= _TELLING}
        self._secrets = sorted(forms, key=len, reverse=True)

    @property
    def longest(self) -> int:
        """How long the longest is, as it may stand in a text."""
        return len(self._secrets[0]) if self._secrets else 0

    def taken_out_of(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return text


def _forms(secret: str) -> Iterator[str]:
    """As it may stand in a log: whole, as JSON, and line by line, but for the lines around a key that all such have."""
    yield secret
    # As it is read by who takes a header for Latin-1.
    yield secret.encode(errors="replace").decode("latin-1")
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield from (line.strip() for line in secret.splitlines() if not line.startswith("-----"))
