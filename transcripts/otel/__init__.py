"""Sessions as OpenTelemetry spans. Making them needs no package; sending them needs the extra `otel`."""
