"""A message as one JSON document: Spark's readers stop where the first ends, whatever stands behind it."""

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import nested

NOT_ALONE = "has more behind its first JSON document"
_END = "\u241eend"
# One more than Spark's readers take: here the document is within a list.
_DEEPER = {"maxNestingDepth": "1001"}


def is_alone(text: Column) -> Column:
    """Whether nothing stands behind the document that it begins with: then what we put behind it ourselves is next."""
    marked = F.concat(F.lit("["), text, F.lit(f',"{_END}"]'))
    quickly = F.coalesce(F.get_json_object(marked, "$[1]") == _END, F.lit(False))
    return quickly | nested.let(text, _is_alone)


def _is_alone(text: Column) -> Column:
    """Slower, and of what only reading by a schema takes for JSON: a bare NaN, say."""
    marked = F.concat(F.lit("["), text, F.lit(f',{{"{_END}":"1"}}]'))
    found = F.from_json(marked, f"array<struct<`{_END}`:string>>", _DEEPER)
    return F.coalesce((F.size(found) == 2) & F.get(found, F.lit(1))[_END].isNotNull(), F.lit(False))
