"""`python -m boathouse.stack PROFILE`: the supervisor. Started by `boathouse up`, not by people."""

import os
import resource
import sys

from boathouse.kit.settings import load_settings
from boathouse.stack.daemon import serve

# The most that macOS grants without more ado, and plenty for a store with hundreds of volumes.
_OPEN_FILES = 10_240
_FOREIGN = ("AWS_", "SPARK_", "PYSPARK_", "HADOOP_", "WEED_")
_USEFUL = frozenset({"AWS_CA_BUNDLE"})


def main() -> int:
    settings = load_settings()
    # Keep no directory busy that its owner may want to remove.
    os.chdir("/")
    _leave_behind_what_is_meant_for_others()
    _reach_loopback_directly()
    _raise_open_files()
    return serve(settings, sys.argv[1])


def _leave_behind_what_is_meant_for_others() -> None:
    """The user's own Spark and cloud accounts: a session token of theirs beside keys of ours would be refused."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN) and name not in _USEFUL:
            del os.environ[name]


def _reach_loopback_directly() -> None:
    """A proxy is for elsewhere: the services would not find each other through it."""
    for name in ("NO_PROXY", "no_proxy"):
        os.environ[name] = ",".join(filter(None, (os.environ.get(name), "127.0.0.1", "localhost")))


def _raise_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


if __name__ == "__main__":
    sys.exit(main())
