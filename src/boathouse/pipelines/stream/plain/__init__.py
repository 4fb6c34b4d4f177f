"""Messages that are plain, read by Arrow many at a time.

That takes a fraction of what Spark takes to read them one by one. Whatever is not certainly what Spark would make of it
is left to Spark, which also finds out what is wrong.
"""

from boathouse.pipelines.stream.plain.changes import PlainChanges
from boathouse.pipelines.stream.plain.columns import is_able
from boathouse.pipelines.stream.plain.events import MESSAGE_KEY, PlainEvents
from boathouse.pipelines.stream.plain.reading import PLAIN

__all__ = ["LONGEST", "MESSAGE_KEY", "PLAIN", "PlainChanges", "PlainEvents", "is_able"]

LONGEST = 8 * 1024
"""Bytes of a message that is given to Arrow: thirty thousand at a time must fit into memory, whatever they are."""
