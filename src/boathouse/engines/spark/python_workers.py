"""Python beside Spark, with the modules that are installed: what Spark starts in place of its own daemon.

Spark puts archives first on the path, and looks through them anew for every task, which takes a tenth of a second: more
than most tasks of a stream. What is in them is installed here as well.
"""

import sys
from pathlib import Path

sys.path[:] = [place for place in sys.path if not Path(place).is_file()]
sys.path_importer_cache.clear()

from pyspark.daemon import manager  # noqa: E402 - only now it is found where it is installed

if __name__ == "__main__":
    manager()
