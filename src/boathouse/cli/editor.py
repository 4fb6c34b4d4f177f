"""A text in the editor of whoever sits there."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from boathouse.kit.errors import InvalidInput


def edited(text: str) -> str | None:
    """The text as it was saved, or None if it was left as it is."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "row.txt"
        # Its line ends are the row's own, in which none may become another one.
        file.write_text(text + "\n", encoding="utf-8", newline="")
        try:
            done = subprocess.run([*shlex.split(editor), str(file)], check=False)
        except FileNotFoundError:
            raise InvalidInput(
                f"There is no editor {editor!r}.", hint="Set EDITOR, or give the text with --text."
            ) from None
        with file.open(encoding="utf-8", newline="") as saved:
            changed = saved.read().removesuffix("\n")
    return None if done.returncode or changed == text else changed
