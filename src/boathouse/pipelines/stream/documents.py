"""A message as one JSON document: Spark's readers stop where the first ends, whatever stands behind it."""

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import nested

NOT_ALONE = "has more behind its first JSON document"
_END = "\u241eend"
# Spark's readers of JSON take no longer one. Some could be told to, but then an event of 48 MB takes more than the 2 GB of
# memory that Spark has by default, and the stream would end where now one event is rejected.
_LONGEST_TEXT = 20_000_000
# One more than Spark's readers take: here the document is within a list.
_DEEPER = {"maxNestingDepth": "1001"}


def is_alone(text: Column) -> Column:
    """Whether nothing stands behind the document that it begins with: then what we put behind it ourselves is next."""
    marked = F.concat(F.lit("["), text, F.lit(f',"{_END}"]'))
    quickly = F.coalesce(F.get_json_object(marked, "$[1]") == _END, F.lit(False))
    return quickly | nested.let(text, _is_alone)


def unreadable(message: Column, why: str) -> Column:
    """Why it could not be read, or perhaps could not: nobody knows where in it the reader gave up."""
    too_long = f"{why}, or has a text of more than {_LONGEST_TEXT // 10**6} million characters"
    return F.when(F.octet_length(message) > _LONGEST_TEXT, too_long).otherwise(why)


def _is_alone(text: Column) -> Column:
    """Slower, and of what only reading by a schema takes for JSON: a bare NaN, say."""
    marked = F.concat(F.lit("["), text, F.lit(f',{{"{_END}":"1"}}]'))
    found = F.from_json(marked, f"array<struct<`{_END}`:string>>", _DEEPER)
    return F.coalesce((F.size(found) == 2) & F.get(found, F.lit(1))[_END].isNotNull(), F.lit(False))
