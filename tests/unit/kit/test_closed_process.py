"""Who may look into a process that keeps secrets."""

import subprocess
import sys

import pytest

_PR_GET_DUMPABLE = 3
_ASKED = f"""
import ctypes
from boathouse.kit.closed_process import close_to_others
asked = ctypes.CDLL(None).prctl
before = asked({_PR_GET_DUMPABLE}, 0, 0, 0, 0)
close_to_others()
print(before, asked({_PR_GET_DUMPABLE}, 0, 0, 0, 0))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="others have no such call")
def test_a_closed_one_is_for_root_alone() -> None:
    # A process of its own: it cannot be opened again.
    done = subprocess.run([sys.executable, "-c", _ASKED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0"]
