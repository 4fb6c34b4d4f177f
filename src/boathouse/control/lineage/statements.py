"""Which tables statements in SQL read and write. What cannot be understood touches nothing, and is never an error."""

import logging
from collections.abc import Iterable, Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.expressions.core import Expression

from boathouse.control.jobs.touched import Touched
from boathouse.control.lineage.table_names import TableNames

# It complains of each statement that it takes as a whole, such as CALL.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
_WRITES = (exp.Insert, exp.Create, exp.Merge, exp.Update, exp.Delete, exp.TruncateTable)


def touched_by(statements: Iterable[str], names: TableNames) -> Touched:
    """By all of them in turn, as one session would carry them out."""
    session = _Session(names)
    for text in statements:
        for parsed in _parsed(text, names.dialect):
            session.follow(parsed)
    return session.touched


def _parsed(text: str, dialect: str) -> list[Expression]:
    try:
        return [one for one in sqlglot.parse(text, read=dialect) if isinstance(one, Expression)]
    except (SqlglotError, RecursionError):
        return []


class _Session:
    """What earlier statements mean for later ones: the namespace in use, and views that only the session knows."""

    def __init__(self, names: TableNames) -> None:
        self._names = names
        self._views: dict[str, frozenset[str]] = {}
        self.touched = Touched()

    def follow(self, statement: Expression) -> None:
        if isinstance(statement, exp.Use):
            self._use(statement)
        elif isinstance(statement, (exp.Query, *_WRITES)) and _is_about_rows(statement):
            targets = list(_targets(statement))
            reads = frozenset(self._reads(statement, targets))
            if _is_temporary(statement):
                self._views |= {target.name: reads for target in targets}
                return
            writes = frozenset(name for target in targets if (name := self._name(target)))
            self.touched |= Touched(reads=reads, writes=writes)

    def _use(self, statement: exp.Use) -> None:
        table = statement.this
        kind = statement.args.get("kind")
        if not isinstance(table, exp.Table) or (isinstance(kind, exp.Var) and kind.name.upper() == "CATALOG"):
            return
        if parts := _parts(table):
            self._names.use(parts)

    def _reads(self, statement: Expression, targets: list[exp.Table]) -> Iterator[str]:
        within = {cte.alias for cte in statement.find_all(exp.CTE)}
        aimed_at = {id(target) for target in targets}
        for table in statement.find_all(exp.Table):
            if id(table) in aimed_at or not isinstance(table.this, exp.Identifier | exp.Dot):
                continue
            if not table.db and table.name in within:
                continue
            if not table.db and table.name in self._views:
                yield from self._views[table.name]
            elif name := self._name(table):
                yield name

    def _name(self, table: exp.Table) -> str | None:
        parts = _parts(table)
        return self._names.name(parts) if parts else None


def _targets(statement: Expression) -> Iterator[exp.Table]:
    if not isinstance(statement, _WRITES):
        return
    found = statement.expressions if isinstance(statement, exp.TruncateTable) else [statement.this]
    for one in found:
        table = one.this if isinstance(one, exp.Schema) else one
        if isinstance(table, exp.Table):
            yield table


def _is_about_rows(statement: Expression) -> bool:
    """A namespace or a function that is made holds none."""
    return not isinstance(statement, exp.Create) or str(statement.args.get("kind")).upper() in {"TABLE", "VIEW"}


def _is_temporary(statement: Expression) -> bool:
    properties = statement.args.get("properties") if isinstance(statement, exp.Create) else None
    return isinstance(properties, exp.Properties) and properties.find(exp.TemporaryProperty) is not None


def _parts(table: exp.Table) -> tuple[str, ...]:
    return tuple(part.name for part in table.parts if part.name)
