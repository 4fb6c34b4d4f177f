"""Specs of either sort, told apart by what their source is: files that are loaded, or a stream that is followed."""

from pathlib import Path
from typing import Any

from boathouse.pipelines.spec import PipelineSpec, read_spec, spec_of, spec_text
from boathouse.pipelines.stream.spec import StreamSpec

AnySpec = PipelineSpec | StreamSpec


def load_any(path: Path) -> AnySpec:
    return parse_any(spec_text(path), str(path))


def parse_any(text: str, origin: str) -> AnySpec:
    document = read_spec(text, origin)
    return spec_of(StreamSpec if is_stream(document.value) else PipelineSpec, document, origin)


def is_stream(spec: dict[str, Any]) -> bool:
    source = spec.get("source")
    return isinstance(source, dict) and "kind" in source
