"""Identifiers that sort by the time they were made."""

import secrets
import time
from uuid import UUID


def new_uuid() -> str:
    """A version 7 UUID: milliseconds since 1970, then chance."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF000 << 64) | 0x7000 << 64
    value = value & ~(0xC000 << 48) | 0x8000 << 48
    return str(UUID(int=value))
