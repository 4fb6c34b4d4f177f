"""`python -m boathouse.stack PROFILE`: the supervisor. Started by `boathouse up`, not by people."""

import os
import sys

from boathouse.kit.settings import load_settings
from boathouse.stack.daemon import serve


def main() -> int:
    settings = load_settings()
    # Keep no directory busy that its owner may want to remove.
    os.chdir("/")
    return serve(settings, sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
