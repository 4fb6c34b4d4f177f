"""What a load did, in figures that add up: rows in = written + superseded + quarantined + dropped."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class RuleCount:
    rule: str
    action: str
    rows: int


@dataclass(frozen=True)
class Report:
    pipeline: str
    table: str
    load_id: str | None
    """None when there was nothing new."""
    files_loaded: int
    files_skipped: int
    bytes_read: int
    rows_in: int
    rows_written: int
    rows_superseded: int
    """Rows of a merge that another row with the same key in the same load replaced."""
    rows_quarantined: int
    rows_dropped: int
    snapshot_id: int | None
    seconds: float
    rules: list[RuleCount] = field(default_factory=list)
    columns_added: list[str] = field(default_factory=list)
    columns_widened: list[str] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        return asdict(self)
