"""OpenTelemetry spans, if somebody wants them: a request, and within it the store's commits and the files read and written.

Off, a span costs a function call, and none of OpenTelemetry is imported. On is when OTEL_EXPORTER_OTLP_ENDPOINT (or that
for traces alone) says where to send them. The other OTEL_ variables mean what they mean everywhere.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_SERVICE = "boathouse-catalog"


class Span(Protocol):
    def set_attribute(self, key: str, value: Any) -> None: ...


class _NoSpan:
    def set_attribute(self, key: str, value: Any) -> None:
        pass


class _Tracing:
    """Whether spans are made, and by whom. One a process, as OpenTelemetry has it."""

    provider: "TracerProvider | None" = None
    tracer: Any = None


_NOWHERE = nullcontext[Span](_NoSpan())


def enabled() -> bool:
    return _Tracing.tracer is not None


def span(name: str, **attributes: Any) -> AbstractContextManager[Span]:
    """A span within the current one. What is raised inside is recorded in it."""
    if _Tracing.tracer is None:
        return _NOWHERE
    return _Tracing.tracer.start_as_current_span(name, attributes=attributes)


def request_span(headers: list[tuple[bytes, bytes]]) -> AbstractContextManager[Span]:
    """The span of a request, within that of the caller if the headers name one. Only where tracing is enabled."""
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
    return _Tracing.tracer.start_as_current_span(
        "request",
        context=TraceContextTextMapPropagator().extract(carrier),
        kind=SpanKind.SERVER,
    )


def start_tracing(environment: Mapping[str, str]) -> bool:
    """Send spans where the environment says, if it does."""
    if not any(environment.get(name) for name in _VARIABLES) or environment.get("OTEL_SDK_DISABLED") == "true":
        return False
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = environment.get("OTEL_SERVICE_NAME", _SERVICE)
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    use(provider)
    return True


def use(provider: "TracerProvider | None") -> None:
    """Make spans with this provider; None for none."""
    _Tracing.provider = provider
    _Tracing.tracer = provider.get_tracer(_SERVICE) if provider else None


def stop_tracing() -> None:
    """Send what is left."""
    if _Tracing.provider is not None:
        _Tracing.provider.shutdown()
        use(None)
