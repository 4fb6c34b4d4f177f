"""`python -m boathouse.catalog`: the catalog as a process of its own."""

import argparse
import sys

from boathouse.catalog.server import ServerOptions, serve
from boathouse.kit.errors import BoathouseError


def main() -> int:
    arguments = _parser().parse_args()
    options = ServerOptions(arguments.host, arguments.port, arguments.store, arguments.warehouse, arguments.auth)
    try:
        serve(options)
    except BoathouseError as error:
        sys.stderr.write(f"catalog: {error} {error.hint or ''}".rstrip() + "\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m boathouse.catalog", description="Boathouse's Iceberg REST catalog."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8181, help="port to listen on; 0 takes a free one")
    parser.add_argument("--store", required=True, help="where the catalog keeps its state: sqlite:///FILE")
    parser.add_argument(
        "--warehouse", action="append", default=[], metavar="NAME=URL", help="may be given several times"
    )
    parser.add_argument(
        "--auth", choices=["token", "none"], default="token", help="token: as BOATHOUSE_CATALOG_TOKEN has it"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
