"""ClickHouse's tables of what is followed are there, take every column that comes, and are as they should be by now."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from boathouse.kit.errors import Conflict, InvalidInput, Unavailable
from boathouse.pipelines.stream.clickhouse import Warehouse, is_refusal
from boathouse.pipelines.stream.clickhouse_tables import (
    alterations,
    are_of_other_types,
    asks,
    columns_of,
    create_rollup,
    create_table,
    drop_deltas,
    drop_rebuilt,
    drop_rollup,
    is_outdated,
    rebuild,
    summed,
)
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.postgres import SourceTable, refuse_keyless
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.stream.spec import Speed as SpeedSpec
from boathouse.pipelines.stream.sums import Sums, rollups_of
from boathouse.pipelines.stream.targets import DELTAS_SUFFIX, REBUILT_SUFFIX, own_name


@dataclass
class SpeedTables:
    warehouse: Warehouse
    spec: SpeedSpec
    sums: Sums
    beside: bool
    """The stream, as a replay is. Tables are made anew by the stream alone: it knows what it writes meanwhile itself."""
    _ready: dict[str, SourceTable] = field(default_factory=dict[str, SourceTable])

    def forget(self) -> None:
        """Whatever went wrong, they may not be there any more."""
        self._ready.clear()

    def is_any_ready(self) -> bool:
        return bool(self._ready)

    def lost(self, followed: Mapping[str, SourceTable], done: Offsets) -> dict[str, SourceTable]:
        """Those that somebody has dropped: each is made before anything is noted of its topic."""
        begun = {topic: table for topic, table in followed.items() if table.key and any(done.get(topic, {}).values())}
        names = {own_name(table.name) for table in begun.values()}
        there = self.warehouse.ids(*names) if names else {}
        lost = {topic: table for topic, table in begun.items() if own_name(table.name) not in there}
        for table in {table.name: table for table in lost.values()}.values():
            self._refuse_double_sums(table)
            if self._rollups(table):
                self.sums.note({(table.name, "")})
        return lost

    def make(self, tables: Iterable[SourceTable]) -> None:
        """Those that are not there, and anew those that are outdated: a replay waits for it, and their next change may be long in coming."""
        for table in {table.name: table for table in tables}.values():
            name = own_name(table.name)
            there = self.warehouse.ids(name, name + REBUILT_SUFFIX)
            if name + REBUILT_SUFFIX in there:
                # A crash left it.
                self.warehouse.command(drop_rebuilt(self.spec.database, table))
            if not table.key or not table.columns.keys() >= set(table.key):
                continue
            if name not in there or is_outdated(table, self.warehouse.columns(name)):
                self.prepare(table)

    def prepare(self, table: SourceTable) -> None:
        """The table is there and takes every column; so are its rollups."""
        if self._ready.get(table.name) == table:
            return
        refuse_keyless(table)
        for rollup in self._rollups(table):
            self._refuse_odd(table, rollup)
        database, name = self.spec.database, own_name(table.name)
        self.warehouse.command(create_table(database, table))
        there = self.warehouse.columns(name)
        if is_outdated(table, there):
            if self.beside:
                raise _to_be_made_anew(table)
            self.warehouse.commands(rebuild(database, table, there))
        self.warehouse.commands(alterations(database, name, columns_of(table), self.warehouse.columns(name)))
        self._renew_deltas(table)
        for rollup in self._rollups(table):
            self._prepare_rollup(table, rollup)
        self._ready[table.name] = table

    @contextmanager
    def staying(self, table: SourceTable) -> Generator[None]:
        """What comes from beside while the stream makes the table anew may go with the old one."""
        if not self.beside:
            yield
            return
        before = self._id_of(table)
        yield
        if self._id_of(table) != before:
            raise _to_be_made_anew(table)

    def _id_of(self, table: SourceTable) -> str | None:
        name = own_name(table.name)
        ids = self.warehouse.ids(name, name + REBUILT_SUFFIX)
        if name + REBUILT_SUFFIX in ids:
            raise _to_be_made_anew(table)
        return ids.get(name)

    def _rollups(self, table: SourceTable) -> list[Rollup]:
        return rollups_of(table, self.spec.rollups)

    def _refuse_odd(self, table: SourceTable, rollup: Rollup) -> None:
        """Before anything is altered for it."""
        for part, expression, query in asks(table, rollup):
            try:
                self.warehouse.columns_of_query(query)
            except Unavailable as error:
                if not is_refusal(error):
                    raise
                raise InvalidInput(
                    f"speed.rollups: {part} of {rollup.name} is {expression!r}, which ClickHouse does not take: {error}",
                    hint=f"Its columns are those of {table.name}: {', '.join(table.columns)}.",
                ) from error

    def _renew_deltas(self, table: SourceTable) -> None:
        """Where a column is of another type by now: they keep nothing, so they are made as they should be."""
        wanted, name = columns_of(table), own_name(table.name) + DELTAS_SUFFIX
        if not self._rollups(table) or not self.warehouse.has_table(name):
            return
        if are_of_other_types(wanted, self.warehouse.columns(name)):
            if self.beside:
                raise _to_be_made_anew(table)
            self.warehouse.commands(drop_deltas(self.spec.database, table, self._rollups(table)))

    def _prepare_rollup(self, table: SourceTable, rollup: Rollup) -> None:
        database, deltas = self.spec.database, own_name(table.name) + DELTAS_SUFFIX
        # What is there already no change will bring once more. Noted before it is made, in case of a crash.
        new = self.sums.of(table) and not self.warehouse.has_table(rollup.name)
        if new and not self.warehouse.is_empty(own_name(table.name)):
            self.sums.note({(table.name, "")})
        self.warehouse.commands(create_rollup(database, table, rollup))
        self.warehouse.commands(alterations(database, deltas, columns_of(table), self.warehouse.columns(deltas)))
        wanted = self.warehouse.columns_of_query(summed(database, table, rollup))
        if wanted != self.warehouse.columns(rollup.name):
            self._widen(table, rollup)

    def _widen(self, table: SourceTable, rollup: Rollup) -> None:
        """Sums by a column that has become wider: ClickHouse would cut off what is too large for the narrow one."""
        if not self.sums.of(table):
            raise Conflict(
                f"The columns of the rollup {rollup.name} have become wider, and sums of events with keys cannot be counted anew.",
                hint="Give it another name: it then counts what comes.",
            )
        if self.beside:
            raise _to_be_made_anew(table)
        self.sums.note({(table.name, "")})
        self.warehouse.commands(drop_rollup(self.spec.database, rollup))
        self.warehouse.commands(create_rollup(self.spec.database, table, rollup))

    def _refuse_double_sums(self, table: SourceTable) -> None:
        rollups = [] if self.sums.of(table) else self._rollups(table)
        left = [rollup.name for rollup in rollups if self.warehouse.has_table(rollup.name)]
        if left:
            raise Conflict(
                f"{table.name} is gone from ClickHouse, and its sums are not: they would count again what is read again.",
                hint=f"Drop {', '.join(left)} in {self.spec.database} too. They begin with what Kafka still has.",
            )


def _to_be_made_anew(table: SourceTable) -> Conflict:
    return Conflict(
        f"ClickHouse's table of {table.name} has to be made anew: a column has become wider, or it is of an older Boathouse.",
        hint="The stream does that when it is started. Replay once more when it is done.",
    )
