"""`python -m boathouse.stack.embedded_clickhouse`: the server as a process of its own."""

import shutil
import sys

from pydantic import ValidationError

from boathouse.kit.errors import BoathouseError
from boathouse.kit.files import private_directory
from boathouse.kit.serving import configure_logging, listen, serve_app
from boathouse.stack.embedded_clickhouse.app import create_app
from boathouse.stack.embedded_clickhouse.asking import Asking
from boathouse.stack.embedded_clickhouse.engine import Engine
from boathouse.stack.embedded_clickhouse.options import PREFIX, Options

# After SIGTERM it answers for a moment yet, so that what is on its way is not refused.
_DRAIN_SECONDS = 0.3


def main() -> int:
    try:
        options = Options()  # pyright: ignore[reportCallIssue] - its fields are in the environment
    except ValidationError as error:
        missing = ", ".join(f"{PREFIX}{problem['loc'][0]}".upper() for problem in error.errors())
        sys.stderr.write(f"embedded ClickHouse: missing or wrong in the environment: {missing}\n")
        return 2
    configure_logging()
    try:
        # Before the engine is opened: a second server on the same port touches nothing.
        listening = listen(options.host, options.port)
        engine = Engine(options)
    except BoathouseError as error:
        sys.stderr.write(f"embedded ClickHouse: {error} {error.hint or ''}".rstrip() + "\n")
        return 1
    scratch = options.data / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    asking = Asking(engine, options.database, options.max_queries, private_directory(scratch))
    serve_app(create_app(asking, options), listening, _DRAIN_SECONDS, proxied=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
