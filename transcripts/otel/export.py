"""Sends spans through OpenTelemetry's SDK: to an OTLP endpoint, or into a file in its JSON form."""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pincite.errors import ServiceError, UsageError
from pincite.transcripts.otel.span import Span

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_TRACES_PATH = "v1/traces"
# Collectors take requests of 20 MB by default.
_MOST_BYTES, _MOST_SPANS = 4_000_000, 500
_FAILED = "it failed"
_UNREADABLE = "?"


class ExportError(ServiceError):
    """The endpoint did not take the spans."""

    default_code = "export_failed"


def endpoint_of(environment: Mapping[str, str]) -> str | None:
    """The OTLP address that the environment names for traces, if it wants any."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    exporters = environment.get("OTEL_TRACES_EXPORTER", "") or "otlp"
    if "otlp" not in {name.strip().lower() for name in exporters.split(",")}:
        return None
    traces, everything = (environment.get(name, "").strip() for name in ENDPOINTS)
    return traces or (traces_address(everything) if everything else None)


def traces_address(base: str) -> str:
    """Where an endpoint takes traces; an address that ends so already is taken as it is."""
    return base if base.rstrip("/").endswith(f"/{_TRACES_PATH}") else f"{base.rstrip('/')}/{_TRACES_PATH}"


def wants_content(environment: Mapping[str, str]) -> bool:
    """Whether spans are to hold what was said: "true", or one of the newer values that name spans."""
    return environment.get(_CONTENT, "").strip().lower() in {"true", "span_only", "span_and_event"}


def shown_address(address: str) -> str:
    """The address without what may be secret in it; "?" for one that is none."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return _UNREADABLE
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return _UNREADABLE
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path}"


class Exporter:
    """Sends spans to one endpoint; what else OTEL_EXPORTER_OTLP_* says (headers, certificates) holds.

    `seconds` is how long one request may take with its retries. Raises UsageError without the extra `otel`,
    and for an address that is none.
    """

    def __init__(self, address: str, seconds: float | None = None) -> None:
        if shown_address(address) == _UNREADABLE:
            raise UsageError(
                "that is no address of an OTLP endpoint",
                code="bad_address",
                hint="such as http://localhost:4318",
            )
        with _extra():
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        self.address = address
        self._log = _Complaints()
        self._exporter = OTLPSpanExporter(endpoint=address, timeout=seconds)

    def send(self, spans: Iterable[Span]) -> int:
        """Send spans and give how many were; raises ExportError when the endpoint does not take them."""
        from opentelemetry.sdk.trace.export import SpanExportResult

        sent = 0
        for batch in _batches(sdk_spans(spans)):
            with self._log.listening():
                taken = self._exporter.export(batch) is SpanExportResult.SUCCESS
            if not taken:
                raise ExportError(
                    f"the spans were not taken by {shown_address(self.address)}: {self._log.reason}",
                    hint="check the address and that a collector listens there",
                )
            sent += len(batch)
        return sent

    @property
    def failing(self) -> bool:
        """Whether the endpoint could not be reached, and is only being tried again."""
        return self._log.unreachable

    def close(self) -> None:
        """Stop, also what is being tried again."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]


class _Complaints(logging.Handler):
    """Why the exporter gave up: it says so in its log alone."""

    _name = "opentelemetry.exporter"

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.reason = _FAILED
        self.unreachable = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Meanwhile its complaints come here, and to whoever set up logging."""
        self.reason, self.unreachable = _FAILED, False
        log = logging.getLogger(self._name)
        log.addHandler(self)
        try:
            yield
        finally:
            log.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Take the status that was answered, or that there was none."""
        args = record.args if isinstance(record.args, tuple) else ()
        said = next((one for one in args if type(one) is int), None) or (args[0] if args else None)
        if "max_request_size" in str(record.msg):
            self.reason = "a span is too large"
        elif isinstance(said, int) or (isinstance(said, str) and said != "spans"):
            self.reason, self.unreachable = f"it answered {said}", False
        elif isinstance(said, BaseException) or self.reason == _FAILED:
            self.reason, self.unreachable = "it cannot be reached, or does not answer", True


def sdk_spans(spans: Iterable[Span]) -> list[ReadableSpan]:
    """The same as the SDK has them: with its resource, limits and sampler, which the environment sets."""
    with _extra():
        from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
        from opentelemetry.sdk.trace.id_generator import IdGenerator
        from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

    now: Span

    class Given(IdGenerator):
        def generate_span_id(self) -> int:
            return int(now.id, 16)

        def generate_trace_id(self) -> int:
            return int(now.trace, 16)

    class Kept(SpanProcessor):
        def __init__(self) -> None:
            self.spans: list[ReadableSpan] = []

        def on_end(self, span: ReadableSpan) -> None:
            self.spans.append(span)

    kept = Kept()
    provider = TracerProvider(resource=_resource(), id_generator=Given(), shutdown_on_exit=False)
    provider.add_span_processor(kept)
    tracer = provider.get_tracer("pincite", version("pincite"))
    kinds = {"internal": SpanKind.INTERNAL, "client": SpanKind.CLIENT}
    contexts: dict[tuple[str, str], Context] = {}
    for now in spans:
        made = tracer.start_span(
            now.name,
            # Not what may be open in a program that asks: a session is a trace of its own.
            context=contexts.get((now.trace, now.parent or ""), _no_context()),
            kind=kinds[now.kind],
            attributes=now.attributes,
            start_time=now.start_ns,
        )
        for moment in now.moments:
            made.add_event(moment.name, moment.attributes, timestamp=moment.at_ns)
        if now.error:
            made.set_status(Status(StatusCode.ERROR))
        made.end(now.end_ns)
        contexts[now.trace, now.id] = set_span_in_context(made, _no_context())
    return kept.spans


def otlp_json(spans: Iterable[Span]) -> dict[str, Any]:
    """A request of OTLP as JSON, as a collector has it in files: ids in hex, enums as numbers."""
    with _extra():
        from google.protobuf.json_format import MessageToDict
        from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

    data: dict[str, Any] = MessageToDict(encode_spans(sdk_spans(spans)), use_integers_for_enums=True)
    for resource in data.get("resourceSpans", ()):
        for scope in resource.get("scopeSpans", ()):
            for span in scope.get("spans", ()):
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        span[name] = base64.b64decode(span[name]).hex()
    return data


def _no_context() -> Context:
    from opentelemetry.context import Context

    return Context()


def _resource() -> Resource:
    """The resource that the environment describes; the service is pincite unless it has a name there.

    Not `Resource.create`: it starts threads, which nobody can while the interpreter ends.
    """
    from opentelemetry.sdk import resources

    given = resources.OTELResourceDetector().detect()
    ours = {
        resources.TELEMETRY_SDK_LANGUAGE: "python",
        resources.TELEMETRY_SDK_NAME: "opentelemetry",
        resources.TELEMETRY_SDK_VERSION: version("opentelemetry-sdk"),
    }
    if resources.SERVICE_NAME not in given.attributes:
        ours |= {resources.SERVICE_NAME: "pincite", resources.SERVICE_VERSION: version("pincite")}
    return resources.Resource(ours).merge(given)


def _batches(spans: Iterable[ReadableSpan]) -> Iterator[Sequence[ReadableSpan]]:
    """The spans in requests of a size that a collector takes."""
    batch: list[ReadableSpan] = []
    size = 0
    for span in spans:
        values = (span.attributes or {}).values()
        length = sum(len(value) for value in values if isinstance(value, str))
        if batch and (len(batch) == _MOST_SPANS or size + length > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(span)
        size += length
    if batch:
        yield batch


@contextmanager
def _extra() -> Iterator[None]:
    """UsageError for a package of the extra that is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pincite":
            raise
        raise UsageError(
            f"sending spans needs the package {error.name}",
            code="extra_missing",
            hint="pip install 'pincite[otel]'",
        ) from error
