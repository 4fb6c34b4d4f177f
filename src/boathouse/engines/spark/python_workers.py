"""Python beside Spark, with the modules that are installed: what Spark starts in place of its own daemon.

Spark puts archives first on the path, and looks through them anew for every task, which takes a tenth of a second: more
than most tasks of a stream. What is in them is installed here as well. And after every task Spark looks for garbage among
all that is loaded, which takes as long again: here only among what is new since the last look.
"""

import gc
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path[:] = [place for place in sys.path if not Path(place).is_file()]
sys.path_importer_cache.clear()

from pyspark import daemon  # noqa: E402 - only now it is found where it is installed


def collect() -> int:
    """What is left is not looked at again."""
    found = gc.collect()
    gc.freeze()
    return found


if __name__ == "__main__":
    # It uses nothing else of that module.
    setattr(daemon, "gc", SimpleNamespace(collect=collect))  # noqa: B010 - it does not say that it has one
    daemon.manager()
