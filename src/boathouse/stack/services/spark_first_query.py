"""A program that asks a Spark Connect server its first query, so that no user has to wait for it.

A process of its own, because pyspark takes a hundred megabytes that the supervisor can do without. How to reach the
server comes on standard input, where nobody else sees the token. Why it failed goes to standard error.
"""

import sys

from boathouse.engines.spark.connect import open_session
from boathouse.kit.access import SparkAccess
from boathouse.kit.errors import BoathouseError
from boathouse.stack.services.first_query import TRY_AGAIN


def main() -> int:
    access = SparkAccess.model_validate_json(sys.stdin.read())
    try:
        with open_session(access) as session:
            session.sql("SELECT count(*) FROM range(10) WHERE id > 1").toArrow()
    except BoathouseError as error:
        sys.stderr.write(f"{' '.join(str(error).split())}\n")
        return TRY_AGAIN if error.retryable else 1
    try:
        # Loads the catalog's and the object store's clients. It fails while the catalog is not up, which is no matter.
        with open_session(access) as session:
            session.sql("SHOW NAMESPACES").toArrow()
    except BoathouseError:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
