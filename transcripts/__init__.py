"""Events of a session, written and read as JSON lines."""
