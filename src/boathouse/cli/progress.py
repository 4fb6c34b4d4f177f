"""A bar on standard error for statements that take long; nothing at all where that is not a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from boathouse.engines.spark.progress import Progress


@contextmanager
def progress_bar(console: Console) -> Generator[Callable[[Progress], None]]:
    """A function to report to. The bar appears with the first report of work and leaves no trace."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[read]}"), TimeElapsedColumn())
    bar = Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
    task: TaskID = bar.add_task("", total=None, read="")

    def report(progress: Progress) -> None:
        if progress.tasks:
            bar.start()
            stage = f"stage {min(progress.stages_done + 1, progress.stages)} of {progress.stages}"
            read = f"{decimal(progress.bytes_read)} read" if progress.bytes_read else ""
            bar.update(task, description=stage, total=progress.tasks, completed=progress.tasks_done, read=read)

    try:
        yield report
    finally:
        bar.stop()
