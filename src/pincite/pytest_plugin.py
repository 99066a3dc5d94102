"""For pytest: recorded sessions as tests of your own project, in two lines.

    def test_answers(pincite_replay):
        pincite_replay("transcripts/*.jsonl")

Nothing of pincite is loaded before a test asks for the fixture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pincite.agent.replay.divergence import ReplayReport
    from pincite.transcripts.route import Lookup


@dataclass(frozen=True, slots=True)
class Replayed:
    """A recording that replayed the same: `lookups` are its searches and readings, in order."""

    path: Path
    report: ReplayReport
    lookups: list[Lookup]


@pytest.fixture
def pincite_replay(request: pytest.FixtureRequest) -> Callable[..., list[Replayed]]:
    """Replays recordings strictly and fails at the first that differs; gives what was replayed.

    Takes file names or patterns, relative to the test's own folder. One that names no file is a failure.
    """

    def replay_all(*patterns: str) -> list[Replayed]:
        from pincite.agent.replay.strict import replay
        from pincite.errors import PinciteError
        from pincite.transcripts.reader import read
        from pincite.transcripts.route import route

        found = []
        for pattern in patterns:
            files = sorted(_matching(request.path.parent, pattern))
            if not files:
                pytest.fail(f"no recording is called {pattern}")
            for file in files:
                try:
                    recording = read(file)
                    report = replay(recording)
                except PinciteError as error:
                    pytest.fail(f"{file} cannot be replayed: {error.message}")
                if report.diverged:
                    pytest.fail(_said(file, report))
                found.append(Replayed(file, report, route(recording)))
        return found

    return replay_all


def _matching(folder: Path, pattern: str) -> list[Path]:
    path = Path(pattern)
    if path.is_absolute():
        return list(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    return list(folder.glob(pattern))


def _said(file: Path, report: ReplayReport) -> str:
    return (
        f"{file} went another way at event {report.at} ({report.kind}), cause: {report.cause} "
        f"({report.detail})\n{report.path}\nrecorded: {report.recorded!r:.500}\nreplayed: {report.replayed!r:.500}"
    )
