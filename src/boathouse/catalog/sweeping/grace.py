"""How old a file must be before it is looked at."""

import re
from datetime import timedelta

from boathouse.kit.errors import InvalidInput

DEFAULT_GRACE = "24h"
# A commit takes some minutes at the longest (twelve attempts, each with the time-outs of storage and store), an idempotency
# record lasts 35 minutes, clocks of storage and of this machine differ by less. An hour is above the sum of them.
_SHORTEST = timedelta(hours=1)
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_FORM = re.compile(r"(\d{1,6})([mhd])")


def parse_grace(text: str) -> timedelta:
    """Such as 90m, 24h or 7d, and never so short that a commit could be under way."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise InvalidInput(f"{text!r} is not an age.", hint="Write it as 90m, 24h or 7d.")
    grace = timedelta(**{_UNITS[found[2]]: int(found[1])})
    if grace < _SHORTEST:
        raise InvalidInput(
            f"{text} is too short: a file that young may belong to a commit that is under way.",
            hint="Use 1h or longer.",
        )
    return grace
