"""The partition of a file in words, the same wherever it is told."""

from typing import Any

from boathouse.control.runs.results import plain
from boathouse.kit.manifests import LiveFile
from boathouse.kit.partition_values import readable


def values_of(file: LiveFile, transforms: dict[str, str]) -> dict[str, Any]:
    return {name: plain(value) for name, value in (readable(file.partition, transforms) or {}).items()}


def label(file: LiveFile, transforms: dict[str, str]) -> str:
    """Such as `day=2026-01-31, region=north`; empty where the table has no partitions."""
    values = values_of(file, transforms)
    return ", ".join(f"{name}={'null' if value is None else value}" for name, value in values.items())
