"""Serves a GGUF model over HTTP with llama.cpp's own server, in a process of its own.

`python smollm_server.py MODEL` says its address and serves until its stdin closes.
"""

from __future__ import annotations

import sys

import xllamacpp

CONTEXT = 8192


def main() -> None:
    settings = xllamacpp.CommonParams()
    settings.model.path = sys.argv[1]
    settings.n_ctx = CONTEXT
    settings.n_parallel = 1
    # Between batches the server looks whether anybody still waits.
    settings.n_batch = settings.n_ubatch = 64
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.use_jinja = True
    settings.port = 0
    settings.verbosity = 0
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
