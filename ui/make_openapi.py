"""Writes openapi.json, out of which `npm run api` makes the types of the client."""

import json
from pathlib import Path
from typing import Any, cast

from boathouse.control.app import create_app

TARGET = Path(__file__).parent / "openapi.json"


def description() -> str:
    # Nothing is asked of the database or the connections: the routes alone say what there is.
    app = create_app(cast("Any", None), cast("Any", None))
    told = app.openapi()
    # The types do not depend on it, and a release should not change them.
    told["info"]["version"] = "current"
    return json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    TARGET.write_text(description(), encoding="utf-8")
