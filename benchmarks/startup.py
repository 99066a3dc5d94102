"""What a fresh process costs: JSON with median seconds and what `pincite search` adds to its parts.

    python benchmarks/startup.py [--runs N]

Measured alternately in one run: `import lancedb`, `import pincite`, `pincite search --leg keyword` on an
existing index of made-up documents, and an empty interpreter, which is taken off the imports.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pincite.corpus.sync import sync

HEAVY = ("torch", "openai", "sentence_transformers", "transformers")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=7)
    runs = options.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        docs, db = Path(name) / "docs", Path(name) / "kb"
        docs.mkdir()
        for number in range(50):
            text = f"# Rule {number}\n\nCode X{number} needs {number} days of notice.\n"
            (docs / f"rule{number}.md").write_text(text, encoding="utf-8")
        sync([docs], db, vectors=False, encoder=None)
        search = ["-m", "pincite", "search", "code X17", "--leg", "keyword", "--db", str(db)]
        commands = {
            "empty": ["-c", ""],
            "lancedb": ["-c", "import lancedb"],
            "pincite": ["-c", "import pincite"],
            "search": search,
        }
        times: dict[str, list[float]] = {key: [] for key in commands}
        for command in commands.values():
            _seconds(command)
        for _ in range(runs):
            for key, command in commands.items():
                times[key].append(_seconds(command))
        loaded = _modules(search[2:])
    median = {key: statistics.median(values) for key, values in times.items()}
    report = {
        "runs": runs,
        "median_s": {key: round(value, 3) for key, value in median.items()},
        "import_pincite_s": round(median["pincite"] - median["empty"], 3),
        "search_beyond_lancedb_s": round(median["search"] - median["lancedb"], 3),
        "heavy_modules_in_search": [name for name in HEAVY if name in loaded],
    }
    print(json.dumps(report, indent=2))


def _seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _modules(arguments: list[str]) -> set[str]:
    code = (
        "import sys\nfrom pincite.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return set(done.stderr.split())


if __name__ == "__main__":
    main()
