"""One statement on Trino and its rows, batch by batch, as Arrow."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from boathouse.engines.statements import Statement
from boathouse.engines.trino.coordinator import Coordinator, Page
from boathouse.engines.trino.errors import translate
from boathouse.engines.trino.progress import Progress, progress_of
from boathouse.engines.trino.statements import bound
from boathouse.engines.trino.types import Typed, typed
from boathouse.kit.errors import WorkFailed

# pyarrow is compiled and brings no types: what these really are is pyarrow.Schema and pyarrow.Table.
ArrowSchema = Any
ArrowTable = Any
Report = Callable[[Progress], None]


class Query:
    """A statement under way. Whoever leaves its block before its end ends it on the server."""

    def __init__(
        self,
        coordinator: Coordinator,
        statement: Statement,
        values: Mapping[str, Any] | None = None,
        report: Report | None = None,
    ) -> None:
        self._coordinator = coordinator
        self._statement = statement
        self._bound = bound(statement.text, values or {})
        self._report = report
        self._page: Page = {}
        self._columns: Sequence[tuple[str, Typed]] = ()

    def __enter__(self) -> Self:
        """Wait until it is known what it returns."""
        try:
            self._take(self._coordinator.begin(self._bound.sql))
            while self._has_more and "columns" not in self._page:
                self._advance()
        except BaseException:
            self._cancel()
            raise
        columns = () if self.only_does else self._page.get("columns", ())
        self._columns = [(column["name"], typed(column["typeSignature"])) for column in columns]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._cancel()

    @property
    def only_does(self) -> bool:
        """Whether it only does something, such as INSERT. What Trino tells as its rows then is how many it changed."""
        return "updateType" in self._page

    @property
    def has_columns(self) -> bool:
        return bool(self._columns)

    @property
    def schema(self) -> ArrowSchema:
        return pa.schema([pa.field(name, kind.arrow) for name, kind in self._columns])

    def finish(self) -> int | None:
        """To its end; how many rows it changed, if it says."""
        while self._has_more:
            self._advance()
        return self._page.get("updateCount")

    def batches(self, *, at_most: int | None = None) -> Iterator[ArrowTable]:
        """The rows as they come, once; no more of them are fetched than `at_most` asks for, by the page."""
        count = 0
        while True:
            if rows := self._page.get("data"):
                count += len(rows)
                yield self._table(rows)
            if not self._has_more or (at_most is not None and count >= at_most):
                return
            self._advance()

    def _table(self, rows: Sequence[Sequence[Any]]) -> ArrowTable:
        columns = zip(*rows, strict=True)
        try:
            arrays = [kind.array(values) for (_, kind), values in zip(self._columns, columns, strict=True)]
        except (ValueError, OverflowError, pa.ArrowInvalid) as error:
            raise WorkFailed(
                f"A value of the result cannot be kept: {error}.", hint="Cast its column to varchar, or leave it out."
            ) from error
        return pa.Table.from_arrays(arrays, schema=self.schema)

    @property
    def _has_more(self) -> bool:
        return "nextUri" in self._page

    def _advance(self) -> None:
        self._take(self._coordinator.follow(self._page["nextUri"]))

    def _take(self, page: Page) -> None:
        self._page = page
        stats = page.get("stats", {})
        if self._report is not None and stats.get("scheduled"):
            self._report(progress_of(stats))
        if failure := page.get("error"):
            raise translate(failure, self._statement, shift=self._bound.shift)

    def _cancel(self) -> None:
        if self._has_more:
            self._coordinator.cancel(self._page.pop("nextUri"))
