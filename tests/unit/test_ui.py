"""The web application knows the API as it is."""

import runpy
from pathlib import Path

UI = Path(__file__).parents[2] / "ui"


def test_the_description_that_its_types_are_made_of_is_up_to_date() -> None:
    program = runpy.run_path(str(UI / "make_openapi.py"))
    written = (UI / "openapi.json").read_text(encoding="utf-8")
    assert written == program["description"](), "Run `make api`."


def test_its_lock_names_no_registry() -> None:
    assert '"resolved"' not in (UI / "package-lock.json").read_text(encoding="utf-8")
