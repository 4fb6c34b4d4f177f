"""Where topics end by now, asked beside everything else: a Kafka that does not answer keeps nobody from saying so."""

import threading
import time
from collections.abc import Callable

from boathouse.pipelines.stream.complaints import words
from boathouse.pipelines.stream.offsets import Offsets

_EVERY = 1.0
# It answers within a hundredth of a second where little is at work, and within one where much is.
_LATE = 3.0


class TopicsEnds:
    def __init__(self, ask: Callable[[], Offsets]) -> None:
        self._ask = ask
        self._known: Offsets = {}
        self._error: str | None = None
        self._asked_at: float | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, name="topics-ends", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """It is not waited for: whom it asks may never answer."""
        self._over.set()

    def look(self) -> None:
        self._asked_at = time.monotonic()
        try:
            self._known, self._error = self._ask(), None
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and asked again
            self._error = words(error)
        finally:
            self._asked_at = None

    def known(self) -> Offsets:
        """As they were when Kafka answered last."""
        return self._known

    def error(self) -> str | None:
        asked = self._asked_at
        if self._error is None and asked is not None and time.monotonic() - asked > _LATE:
            return f"Kafka has not answered for {time.monotonic() - asked:.0f} s."
        return self._error

    def _go_on(self) -> None:
        while not self._over.is_set():
            self.look()
            self._over.wait(_EVERY)
