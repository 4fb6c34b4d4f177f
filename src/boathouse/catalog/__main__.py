"""`python -m boathouse.catalog`: the catalog as a process of its own."""

import argparse
import sys
from pathlib import Path

from boathouse.catalog.server import ServerOptions, serve
from boathouse.kit.errors import BoathouseError


def main() -> int:
    arguments = _parser().parse_args()
    options = ServerOptions(
        arguments.host,
        arguments.port,
        arguments.store,
        arguments.warehouse,
        arguments.auth,
        arguments.token_lifetime,
        arguments.open_metrics,
        arguments.drain_seconds,
        arguments.config,
    )
    try:
        serve(options)
    except BoathouseError as error:
        sys.stderr.write(f"catalog: {error} {error.hint or ''}".rstrip() + "\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m boathouse.catalog", description="Boathouse's Iceberg REST catalog."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8181, help="port to listen on; 0 takes a free one")
    parser.add_argument(
        "--store",
        required=True,
        help="where the catalog keeps its state: sqlite:///FILE (sqlite:////FILE from the root) or etcd://…",
    )
    parser.add_argument(
        "--warehouse", action="append", default=[], metavar="NAME=URL", help="may be given several times"
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML with a table [warehouses.NAME] for each warehouse's storage"
    )
    parser.add_argument(
        "--auth",
        choices=["token", "oauth", "none"],
        default="token",
        help="token: as BOATHOUSE_CATALOG_TOKEN has it; oauth: principals and grants; none: open to all",
    )
    parser.add_argument(
        "--token-lifetime", type=int, default=3600, metavar="SECONDS", help="of the tokens issued with --auth oauth"
    )
    parser.add_argument("--open-metrics", action="store_true", help="ask nobody for a token at /metrics")
    parser.add_argument(
        "--drain-seconds",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help="how long it answers, and is not ready, once it is told to stop",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
