"""With this directory on `PYTHONPATH`, what would run a streaming pipeline runs the program beside this file instead."""

import os
import sys

if "boathouse.cli.main" in sys.orig_argv and "--status" in sys.orig_argv:
    from program import main

    os._exit(main(sys.orig_argv))
