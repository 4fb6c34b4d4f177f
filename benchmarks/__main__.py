"""`python -m benchmarks NAME`: run one benchmark, or all."""

import sys
from importlib import import_module

BENCHMARKS = ("start", "ingest", "failover", "catalog", "control", "ui", "stream")


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    if wanted not in {*BENCHMARKS, "all"}:
        sys.exit(f"There is no benchmark {wanted!r}: there are {', '.join(BENCHMARKS)}, and all.")
    for name in BENCHMARKS if wanted == "all" else (wanted,):
        import_module(f"benchmarks.{name}").main()


main()
