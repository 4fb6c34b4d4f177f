"""The prompt for SQL: several lines until `;`, with history, colours and completion."""

from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory
from prompt_toolkit.lexers import PygmentsLexer
from pygments.lexers.sql import SqlLexer
from pyspark.sql.connect.session import SparkSession

from boathouse.cli.errors import show
from boathouse.cli.output import listing, notices
from boathouse.cli.sql import View, execute
from boathouse.engines.spark.connect import open_session
from boathouse.engines.spark.statements import Statement, is_complete, split
from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.errors import BoathouseError, Unavailable
from boathouse.kit.files import PRIVATE
from boathouse.kit.relations import all_relations

KEYWORDS = """
    ALTER ANALYZE AND AS ASC BETWEEN BY CALL CASE CAST COLUMN COLUMNS COUNT CREATE CROSS CURRENT_DATE CURRENT_TIMESTAMP
    DATABASE DELETE DESC DESCRIBE DISTINCT DROP ELSE END EXCEPT EXISTS EXPLAIN EXTENDED FALSE FILTER FOR FROM FULL
    FUNCTIONS GROUP HAVING IF ILIKE IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT MATCHED
    MERGE NAMESPACE NAMESPACES NOT NULL NULLS OF OFFSET ON OR ORDER OUTER OVER OVERWRITE PARTITION PARTITIONED
    QUALIFY RENAME REPLACE RIGHT SCHEMA SELECT SET SHOW SYSTEM_TIME TABLE TABLES TABLESAMPLE TBLPROPERTIES THEN
    TIMESTAMP TO TRUE TRUNCATE UNION UNNEST UPDATE USE USING VALUES VERSION VIEW VIEWS WHEN WHERE WINDOW WITH
"""

LEAVING = frozenset({"\\q", "quit", "exit"})
HELPING = "\\?"
# Commands that people know from elsewhere and that no statement is.
WORDS = LEAVING | {"help"}
HELP = """A statement ends with `;` and may take several lines.
  \\d          list the tables and views
  \\d TABLE    describe a table
  \\?, help    this help
  \\q, quit, exit, Ctrl-D  leave
  Ctrl-C      drop what is typed, or cancel the statement that runs"""


def prompt(access: LakeAccess, *, history: Path, view: View) -> None:
    """Read statements and run them until the user leaves."""
    tables = TableNames(access)
    typed: PromptSession[str] = prompt_session(history, tables)
    with open_session(access.spark) as session:
        notices().print("\\? for help, \\q to leave", style="dim", markup=False)
        while (text := ask(typed, f"{access.spark.catalog}> ")) is not None:
            _obey(session, text, view, tables)
            tables.forget()


class TableNames:
    """The names of tables and views for completion: asked for when first needed, and again after each statement."""

    def __init__(self, access: LakeAccess) -> None:
        self._access = access
        self._names: list[str] | None = None

    def __call__(self) -> list[str]:
        if self._names is None:
            self._names = self._ask()
        return self._names

    def forget(self) -> None:
        self._names = None

    def _ask(self) -> list[str]:
        try:
            with CatalogClient(self._access.catalog, timeout=2.0) as catalog:
                return [str(relation.name) for relation in all_relations(catalog)]
        except Unavailable:
            # Completion is a courtesy: without the catalog it knows keywords only.
            return []


class WordsBegun(Completer):
    """Completes a word that was begun. Before one, it offers nothing by itself, and all words to the tab key."""

    def __init__(self, tables: Callable[[], Iterable[str]]) -> None:
        self._tables = tables

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        begun = document.get_word_before_cursor(WORD=True)
        asked = complete_event.completion_requested and document.text.strip()
        if not begun and not asked:
            return
        words = WordCompleter([*KEYWORDS.split(), *self._tables()], ignore_case=True, WORD=True)
        yield from words.get_completions(document, complete_event)


def is_finished(text: str) -> bool:
    """Whether Enter runs the text rather than opening another line."""
    return not text.strip() or plain_word(text) in WORDS or text.lstrip().startswith("\\") or is_complete(text)


def plain_word(text: str) -> str:
    """A command as people type it, with or without a semicolon."""
    return text.strip().rstrip("; ").lower()


def prompt_session(history: Path, tables: Callable[[], Iterable[str]]) -> PromptSession[str]:
    # Statements may hold what others must not read.
    history.touch(mode=PRIVATE)
    return PromptSession(
        history=FileHistory(history),
        lexer=PygmentsLexer(SqlLexer),
        completer=WordsBegun(tables),
        complete_in_thread=True,
        multiline=Condition(lambda: not is_finished(get_app().current_buffer.text)),
    )


def ask(typed: PromptSession[str], sign: str) -> str | None:
    """What the user entered; None when they leave."""
    while True:
        try:
            text = typed.prompt(sign, prompt_continuation="> ".rjust(len(sign))).strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return None
        if plain_word(text) in LEAVING:
            return None
        if text:
            return HELPING if plain_word(text) == "help" else text


def _obey(session: SparkSession, text: str, view: View, tables: TableNames) -> None:
    console = notices()
    try:
        if text.startswith("\\"):
            _command(session, text.rstrip("; "), view, tables)
            return
        for statement in split(text):
            execute(session, statement, view)
    except BoathouseError as error:
        show(error, console)
    except KeyboardInterrupt:
        console.print("Cancelled.")


def _command(session: SparkSession, text: str, view: View, tables: TableNames) -> None:
    command, _, name = text.partition(" ")
    if command != "\\d":
        notices().print(HELP, markup=False)
    elif name:
        execute(session, Statement(f"DESCRIBE TABLE {name}"), view)
    else:
        listing(["table"], [[table] for table in tables()], as_json=False)
