"""With this directory on `PYTHONPATH`, what would run a streaming pipeline or replay its rejects runs what is beside this file."""

import os
import sys

if "boathouse.cli.main" in sys.orig_argv and ("--status" in sys.orig_argv or "deadletter" in sys.orig_argv):
    from program import main, replay

    os._exit(main(sys.orig_argv) if "--status" in sys.orig_argv else replay(sys.orig_argv))
