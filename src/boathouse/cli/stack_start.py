"""How a lakehouse's start and stop look in a terminal."""

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from boathouse.kit.errors import Cancelled
from boathouse.kit.settings import Settings
from boathouse.stack.artifacts import Artifact, Fetcher
from boathouse.stack.lifecycle import Lakehouse
from boathouse.stack.plan import artifact_cache, artifacts_of
from boathouse.stack.profiles import profile_left_out, services_of
from boathouse.stack.status import StackStatus, State


@dataclass(frozen=True)
class DownloadBars:
    """A bar for each file that has to be fetched."""

    bars: Progress
    _tasks: dict[str, TaskID] = field(default_factory=dict[str, TaskID])

    def begin(self, artifact: Artifact) -> None:
        self._tasks[artifact.sha256] = self.bars.add_task(artifact.file_name, total=artifact.size)

    def at(self, artifact: Artifact, size: int) -> None:
        self.bars.update(self._tasks[artifact.sha256], completed=size)

    def done(self, artifact: Artifact) -> None:
        self.bars.update(self._tasks[artifact.sha256], completed=artifact.size)


@dataclass
class StartView:
    console: Console = field(default_factory=lambda: Console(stderr=True, highlight=False))
    _began: float = field(default_factory=time.monotonic)

    def up(self, lakehouse: Lakehouse, profile: str) -> bool:
        """Start it, and say whether it was not running before."""
        self._fetch(lakehouse.settings, profile)
        self._install(lakehouse.settings, profile)
        supervisor, started = lakehouse.start(profile)
        if not started:
            self.console.print("The lakehouse is already running; looking whether all of it is well.")
        try:
            status = self._watch(lakehouse.watch(supervisor))
        except BaseException as error:
            if started:
                self._stop_again(lakehouse)
            if isinstance(error, KeyboardInterrupt):
                raise Cancelled("The start was interrupted.", hint="`boathouse up` starts again.") from None
            raise
        self._say_where(status)
        self._say_what_is_left_out(lakehouse, profile)
        return started

    def _stop_again(self, lakehouse: Lakehouse) -> None:
        """After a start that failed: what is said last is why, and of this only what there was to stop."""
        with self._spinner() as say:
            say("stopping what was started")
            stopped = lakehouse.stop()
        if stopped:
            self.console.print(f"Stopped what was started: {', '.join(stopped)}.")

    def down(self, lakehouse: Lakehouse) -> None:
        with self._spinner() as say:
            say("stopping")
            stopped = lakehouse.stop()
        said = f"Stopped {', '.join(stopped)} in {self._seconds()}." if stopped else "Nothing was running."
        self.console.print(said)

    def _fetch(self, settings: Settings, profile: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=self.console) as bars:
            fetcher = Fetcher(artifact_cache(settings), settings.artifacts, DownloadBars(bars))
            fetcher.fetch(artifacts_of(profile, settings))

    def _install(self, settings: Settings, profile: str) -> None:
        with self._spinner() as say:
            for kind in services_of(profile, settings):
                say(f"installing what {kind.name} needs (the first time this may take minutes)")
                kind.install(settings)

    def _watch(self, statuses: Iterable[StackStatus]) -> StackStatus | None:
        """Show each service as it turns healthy; the last that was said."""
        healthy: set[str] = set()
        status: StackStatus | None = None
        with self._spinner() as say:
            for status in statuses:
                now = {service.name for service in status.services if service.state is State.HEALTHY}
                for name in sorted(now - healthy):
                    self.console.print(f"[green]✓[/] {name} [dim]{self._seconds()}[/]")
                healthy |= now
                say(waited_for(status))
        return status

    def _say_where(self, status: StackStatus | None) -> None:
        table = Table.grid(padding=(0, 2))
        for service in status.services if status else ():
            table.add_row(f"  {service.name}", service.address)
        self.console.print(f"The lakehouse is up, in {self._seconds()}.")
        self.console.print(table)

    def _say_what_is_left_out(self, lakehouse: Lakehouse, profile: str) -> None:
        if larger := profile_left_out(profile, lakehouse.home):
            self.console.print(
                f"This home was used with the profile {larger}: `boathouse down`, then `boathouse up --profile {larger}` "
                "starts all of it.",
                style="yellow",
                soft_wrap=True,
            )

    def _seconds(self) -> str:
        return f"{time.monotonic() - self._began:.1f} s"

    @contextmanager
    def _spinner(self) -> Generator[Callable[[str], None]]:
        spinner = Spinner("dots")
        with Live(spinner, console=self.console, transient=True, refresh_per_second=8):
            # A reason may hold brackets, which are not meant as Rich's markup.
            yield lambda text: spinner.update(text=Text(text))


def waited_for(status: StackStatus) -> str:
    """What is not well yet, and why."""
    waiting = [service for service in status.services if service.state is not State.HEALTHY]
    said = [f"{service.name} ({' '.join(service.detail.split()) or service.state})" for service in waiting]
    return f"waiting for {', '.join(said)}" if said else ""
