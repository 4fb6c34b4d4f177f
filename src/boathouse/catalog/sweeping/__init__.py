"""Metadata files that nothing names: written by commits that failed or by servers that were killed, and found here."""

from boathouse.catalog.sweeping.grace import DEFAULT_GRACE, parse_grace
from boathouse.catalog.sweeping.sweeper import Sweeper, Sweeping

__all__ = ["DEFAULT_GRACE", "Sweeper", "Sweeping", "parse_grace"]
