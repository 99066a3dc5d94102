"""Loads a sentence-transformers model, silently and safely, and keeps its threads within bounds."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.corpus.encoder_find import FoundEncoder
from pincite.corpus.encoder_spec import EncoderDamagedError, EncoderUnavailableError
from pincite.corpus.reasons import in_words
from pincite.errors import UsageError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Item = TypeVar("Item")
Result = TypeVar("Result")


def load_model(found: FoundEncoder) -> SentenceTransformer:
    """The model, from safetensors only and without code of its own."""
    spec, _ = found.spec, thread_limit()  # what can fail at once, before seconds of importing
    with quiet():
        try:
            import sentence_transformers
        except ImportError as error:
            raise EncoderUnavailableError(
                "sentence-transformers cannot be imported", hint="pip install sentence-transformers"
            ) from error
        with silent_transformers():
            try:
                model = sentence_transformers.SentenceTransformer(
                    str(found.folder),
                    prompts={"query": "", "document": ""},
                    trust_remote_code=False,
                    local_files_only=True,
                    model_kwargs={"use_safetensors": True, "dtype": "float32"},
                )
            except Exception as error:  # whatever a damaged or foreign folder makes of three libraries
                raise EncoderDamagedError(
                    f"the encoder in {found.folder} cannot be loaded: {in_words(error)}",
                    hint="choose another encoder",
                ) from error
    dimension, length = model.get_embedding_dimension(), model.max_seq_length
    if (dimension, length) != (spec.dimension, spec.max_length):
        raise EncoderDamagedError(
            f"the encoder in {found.folder} gives {dimension} numbers for {length} pieces, "
            f"its files say {spec.dimension} and {spec.max_length}"
        )
    return model


def thread_limit() -> int:
    """The processors this process may use, at most PINCITE_THREADS. Raises UsageError for a bad number."""
    asked = os.environ.get("PINCITE_THREADS")
    if asked and not (asked.isdecimal() and int(asked) > 0):
        raise UsageError(f"PINCITE_THREADS is {asked!r}", hint="set it to a number from 1 on")
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, int(asked)) if asked else usable


def bound_threads() -> int:
    """Bounds torch's threads by `thread_limit` and numpy's pool by one, and gives the former.

    Two pools that each fill the machine slow each other.
    """
    import torch
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    default: int = torch.get_num_threads()
    threads = min(default, thread_limit())
    torch.set_num_threads(threads)
    threadpool_limits(limits=1, user_api="blas")
    return threads


@contextmanager
def one_thread() -> Iterator[None]:
    """One torch thread for what the calling thread does meanwhile.

    A forward pass has hundreds of short parallel steps, each of which waits for the slowest thread: with a
    neighbour on the machine, two threads take ten times as long as one.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def workers(
    number: int,
) -> Iterator[Callable[[Callable[[Item], Result], Sequence[Item]], Iterable[Result]]]:
    """A `map` that runs on so many threads, results in order; leaving early drops what has not begun."""
    import torch

    if number < 2:
        yield map
        return
    pool = ThreadPoolExecutor(number, "encoder", initializer=torch.set_num_threads, initargs=(1,))
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def quiet() -> Iterator[None]:
    """No warnings from the libraries that are imported and called meanwhile."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def silent_transformers() -> Iterator[None]:
    """No log lines and progress bars of transformers and sentence-transformers meanwhile."""
    from transformers.utils import logging as chatter

    level, bars = chatter.get_verbosity(), chatter.is_progress_bar_enabled()
    own: Any = logging.getLogger("sentence_transformers")
    own_level = own.level
    chatter.set_verbosity_error()
    chatter.disable_progress_bar()
    own.setLevel(logging.ERROR)
    try:
        yield
    finally:
        chatter.set_verbosity(level)
        own.setLevel(own_level)
        if bars:
            chatter.enable_progress_bar()
