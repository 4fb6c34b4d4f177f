"""What Spark thinks of a spec's expressions: before any row is read, and when one of them fails on a row."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from pyspark.errors import (
    AnalysisException,
    ArithmeticException,
    ArrayIndexOutOfBoundsException,
    DateTimeException,
    NumberFormatException,
    ParseException,
    PySparkException,
    SparkRuntimeException,
)
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession
from pyspark.sql.types import BooleanType, DataType, NullType

from boathouse.kit.errors import InvalidInput, WorkFailed
from boathouse.pipelines.derivation import derivation_order
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import ColumnType, quoted, spark_type

ON_A_ROW = (
    ArithmeticException,
    ArrayIndexOutOfBoundsException,
    DateTimeException,
    NumberFormatException,
    SparkRuntimeException,
)
"""What Spark raises when an expression cannot be computed for a row."""


def check_expressions(session: SparkSession, spec: PipelineSpec, columns: dict[str, ColumnType]) -> None:
    """Ask about every expression over rows with these columns, of which none is needed."""
    ddl = ", ".join(f"{quoted(name)} {spark_type(kind)}" for name, kind in columns.items())
    refuse_unless_predicates(with_derived(session.createDataFrame([], ddl), spec), spec)


def with_derived(rows: DataFrame, spec: PipelineSpec) -> DataFrame:
    """The rows with their derived columns; InvalidInput names one that is not SQL over the rows."""
    for name in derivation_order(spec.derive):
        refuse_unless_sql(rows, spec.derive[name], f"The derived column {name!r}")
        rows = _with_one(rows, spec, name)
    return rows


def derived(rows: DataFrame, spec: PipelineSpec) -> DataFrame:
    """The same without asking Spark about each, for rows of a kind it was asked about before."""
    for name in derivation_order(spec.derive):
        rows = _with_one(rows, spec, name)
    return rows


def _with_one(rows: DataFrame, spec: PipelineSpec, name: str) -> DataFrame:
    return rows.withColumn(name, F.expr(spec.derive[name]))


def refuse_unless_predicates(rows: DataFrame, spec: PipelineSpec) -> None:
    """`rows` has its derived columns."""
    if _all_predicates(rows, spec):
        return
    for expectation in spec.expectations:
        what = f"The expectation {expectation.title!r}"
        kind = refuse_unless_sql(rows, f"({expectation.check})", what)
        if not isinstance(kind, BooleanType | NullType):
            raise InvalidInput(
                f"{what} is not a predicate: `{expectation.check}` is {kind.simpleString()}, not true or false.",
                hint="Compare it with something, such as `is not null`.",
            )


def _all_predicates(rows: DataFrame, spec: PipelineSpec) -> bool:
    """Asked in one question, which is the usual case; which of them is wrong takes one each."""
    checks = [F.expr(f"({expectation.check})") for expectation in spec.expectations]
    try:
        return all(isinstance(field.dataType, BooleanType | NullType) for field in rows.select(*checks).schema.fields)
    except (AnalysisException, ParseException):
        return False


def refuse_unless_sql(rows: DataFrame, expression: str, what: str) -> DataType:
    """Ask Spark what the expression means over these rows, and say in a sentence why if it does not know."""
    try:
        return rows.select(F.expr(expression)).schema.fields[0].dataType
    except (AnalysisException, ParseException) as error:
        raise InvalidInput(
            f"{what} cannot be evaluated: {_sentence(error)}", hint="It is an SQL expression over the row's columns."
        ) from error


@contextmanager
def named_on_failure(rows: DataFrame, spec: PipelineSpec) -> Generator[None]:
    """If an expression fails on a row, say which one: Spark does not know what it is for."""
    try:
        yield
    except ON_A_ROW as error:
        for what, expression in _expressions(spec):
            if (why := _failure(rows, expression)) is not None:
                raise WorkFailed(
                    f"{what} fails on a row, and nothing was loaded: {why}",
                    hint="try_divide, try_cast, try_add and their kin give null where a value cannot be computed.",
                ) from error
        raise


def _expressions(spec: PipelineSpec) -> Iterator[tuple[str, str]]:
    for name in derivation_order(spec.derive):
        yield f"The derived column {name!r} ({spec.derive[name]})", quoted(name)
    for expectation in spec.expectations:
        yield f"The expectation {expectation.title!r} ({expectation.check})", expectation.check


def _failure(rows: DataFrame, expression: str) -> str | None:
    try:
        rows.select(F.expr(expression).alias("value")).agg(F.max(F.hash("value"))).collect()
    except ON_A_ROW as error:
        return _sentence(error)
    return None


def _sentence(error: PySparkException) -> str:
    """The first line of what Spark says, without the advice to let wrong values pass."""
    first = str(error).strip().partition("\n")[0].partition(" SQLSTATE")[0]
    return first.partition(" If necessary set")[0].partition(" To return NULL")[0]
