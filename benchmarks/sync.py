"""What a sync costs beside its encoder: JSON with seconds, their ratio, and the peak of memory.

On a machine that does other work meanwhile, the ratio of processor times is the one to look at.

    python benchmarks/sync.py FOLDER [--files N]

The folder is synced into a new index, then synced again, then the encoder alone encodes the same chunks
in the same process. The encoder is loaded and warm before the first clock starts.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from pincite.corpus.commit import read_rows
from pincite.corpus.encoder import load_encoder
from pincite.corpus.pointer import read_pointer, tenant_folder
from pincite.corpus.store import open_table
from pincite.corpus.sync import SyncProgress, sync
from pincite.corpus.table import CHUNK, TEXT_COLUMN


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--files", type=int, help="only the first N files")
    asked = options.parse_args()
    encoder = load_encoder()
    with tempfile.TemporaryDirectory() as name:
        docs, db = Path(name) / "docs", Path(name) / "kb"
        docs.mkdir()
        for path in sorted(p for p in asked.folder.iterdir() if p.is_file())[: asked.files]:
            shutil.copy2(path, docs)
        encoder.encode_documents(["A sentence to warm up with."] * 64, progress=None)
        phases: dict[str, float] = {}
        started = last = time.perf_counter()
        cpu = time.process_time()

        def clock(progress: SyncProgress) -> None:
            nonlocal last
            now = time.perf_counter()
            phases[progress.phase] = phases.get(progress.phase, 0.0) + now - last
            last = now

        report = sync([docs], db, encoder=encoder, progress=clock)
        synced, synced_cpu = time.perf_counter() - started, time.process_time() - cpu
        started = time.perf_counter()
        sync([docs], db, encoder=encoder)
        again = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        folder = tenant_folder(db, "default")
        table = open_table(folder, read_pointer(folder).table)
        rows = read_rows(table, folder, f"kind = '{CHUNK}'", [TEXT_COLUMN])
        started, cpu = time.perf_counter(), time.process_time()
        encoder.encode_documents([row[TEXT_COLUMN] for row in rows], progress=None)
        alone, alone_cpu = time.perf_counter() - started, time.process_time() - cpu
        size = sum(path.stat().st_size for path in db.rglob("*") if path.is_file())
    result = {
        "documents": report.documents,
        "chunks": report.chunks,
        "sync_seconds": round(synced, 2),
        "phases": {phase: round(seconds, 2) for phase, seconds in phases.items()},
        "encoder_alone_seconds": round(alone, 2),
        "ratio": round(synced / alone, 3),
        "processor_ratio": round(synced_cpu / alone_cpu, 3),
        "second_sync_seconds": round(again, 3),
        "peak_megabytes": round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)),
        "index_megabytes": round(size / 1e6, 1),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
