# ruff: noqa: INP001 - a program of its own, in no package
"""Writes settings.md from the settings themselves; a test fails while it is out of date.

uv run --no-sync python docs/make_settings.py
"""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from boathouse.kit.settings import Settings, variable

PAGE = Path(__file__).with_name("settings.md")
# Defaults that are computed, because they depend on who asks.
COMPUTED = {"home": "`~/.boathouse`", "cache": "`$XDG_CACHE_HOME/boathouse`, else `~/.cache/boathouse`"}
INTRODUCTION = """\
# Settings

Written by `docs/make_settings.py` from the program itself; do not edit it by hand.

A value comes from the first of: its variable, `boathouse.toml`, the default. The file is the one that the variable
`BOATHOUSE_CONFIG` names, else the nearest `boathouse.toml` from the working directory upwards. `boathouse config` shows
every value and where it came from, also while one of them is wrong. An unknown name, in the file or as a variable, is an error.

```toml
home = "lake"                  # relative to this file

[spark]
memory = "4g"

[spark.conf]
"spark.sql.shuffle.partitions" = 16
```

As a variable, a table is given as JSON:

```
export BOATHOUSE_SPARK__CONF='{"spark.sql.shuffle.partitions": "16"}'
```

Some settings take effect when a service starts: run `boathouse down` and `boathouse up` after a change.

| setting | variable | default | meaning |
| --- | --- | --- | --- |
"""


def rows(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from rows(kind, f"{prefix}{name}.")
        else:
            full = prefix + name
            yield f"| `{full}` | `{variable(full)}` | {_default(full, field)} | {field.description} |\n"


def _default(name: str, field: FieldInfo) -> str:
    if name in COMPUTED:
        return COMPUTED[name]
    value = field.get_default(call_default_factory=True)
    if value is None:
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def page() -> str:
    return INTRODUCTION + "".join(rows())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
