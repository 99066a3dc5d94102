"""What is counted for /metrics. No label tells one tenant, caller or document from another."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from pincite.agent.answer import Answer

_SECONDS = (0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30, 60, 120)
_FIRST = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        reg = self.registry
        self._questions = Counter("pincite_questions", "Questions by status", ["status"], registry=reg)
        self._stops = Counter("pincite_stop_reasons", "Why questions ended", ["reason"], registry=reg)
        self._legs = Counter("pincite_legs", "Ways to search by outcome", ["leg", "outcome"], registry=reg)
        self._used = Counter("pincite_legs_used", "Ways that answered a search", ["leg"], registry=reg)
        self._fallbacks = Counter("pincite_fallbacks", "Searches that fell back", registry=reg)
        self._seconds = Histogram(
            "pincite_question_seconds", "Seconds of a question", buckets=_SECONDS, registry=reg
        )
        self._first = Histogram(
            "pincite_first_event_seconds", "Seconds to the first progress", buckets=_FIRST, registry=reg
        )
        self._cached = Counter("pincite_cached_answers", "Questions answered from the cache", registry=reg)
        self._refused = Counter("pincite_refused_requests", "Requests refused", ["code"], registry=reg)
        self.running = Gauge("pincite_questions_running", "Questions being answered", registry=reg)
        self.lag = Gauge(
            "pincite_sync_lag_seconds", "Seconds from a file's change until it could be found", registry=reg
        )
        self.syncs = Counter("pincite_syncs", "Syncs by outcome", ["outcome"], registry=reg)

    def answered(self, answer: Answer, seconds: float) -> None:
        """A question has ended."""
        self._questions.labels(answer.status.value).inc()
        self._stops.labels(answer.stop_reason.value).inc()
        self._seconds.observe(seconds)
        for found in answer.retrieval:
            for attempt in found.attempts:
                self._legs.labels(attempt.leg, attempt.outcome.value).inc()
            if found.used:
                self._used.labels(found.used).inc()
            if any(attempt.outcome.value in {"error", "timeout"} for attempt in found.attempts):
                self._fallbacks.inc()

    def first_event(self, seconds: float) -> None:
        """The first progress of a question was told."""
        self._first.observe(seconds)

    def cached(self) -> None:
        """A question was answered from the cache."""
        self._cached.inc()

    def refused(self, code: str) -> None:
        """A request was refused."""
        self._refused.labels(code).inc()

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self.registry)
