"""A line that says what is being waited for, once a wait is long enough to be wondered about."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console

# Long enough for everything that is well, short enough that nobody has given up.
_WONDERING = 5.0


@contextmanager
def waiting(console: Console, text: str, *, after: float = _WONDERING) -> Generator[Callable[[], None]]:
    """Print the text if the block is still at work then. The function it gives says that all is well: no line is needed."""
    timer = Timer(after, lambda: console.print(f"{text} …", style="dim", markup=False, soft_wrap=True))
    timer.daemon = True
    timer.start()
    try:
        yield timer.cancel
    finally:
        timer.cancel()
