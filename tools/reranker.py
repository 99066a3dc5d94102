"""A cross-encoder that reads a question and a passage together and says how well they fit.

Finding it imports no torch and uses no network. It comes from a folder, from the hub's copy on this machine,
or, when a person named it, from the hub itself.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.encoder_load import bound_threads, one_thread, quiet, silent_transformers
from pincite.errors import NothingUsableError

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

DEFAULT_RERANKER = "cross-encoder/ms-marco-MiniLM-L6-v2"
NONE = "none"
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
_HUB_SECONDS = 5.0
_BATCH = 16
RERANKER_HINT = "name a folder or a hub name with --reranker, or none"


class RerankerUnavailableError(NothingUsableError):
    """There is no reranker to be had; results keep the order of the merged searches."""

    default_code = "reranker_unavailable"


@dataclass(frozen=True, slots=True)
class FoundReranker:
    """A reranker that could be loaded. `folder` is None while it is still on the hub."""

    name: str
    folder: Path | None

    def __str__(self) -> str:
        return f"{self.name} from {self.folder or 'the hub, to be downloaded at first use'}"


def find_reranker(setting: str | None = None) -> FoundReranker | None:
    """The reranker that would be loaded: `setting` (a folder, a hub name or "none"), or the default.

    None when there is none; the default is used only where it is on this machine. Raises
    RerankerUnavailableError for a named one that cannot be there.
    """
    if setting == NONE:
        return None
    wanted = setting or DEFAULT_RERANKER
    folder = Path(wanted).expanduser()
    if folder.is_dir():
        return FoundReranker(folder.resolve().name, folder)
    if not _HUB_NAME.fullmatch(wanted):
        raise RerankerUnavailableError(
            f"there is no reranker at {wanted}", hint=RERANKER_HINT, told="there is no such reranker"
        )
    cached = _cached(wanted)
    if cached is not None:
        return FoundReranker(wanted, cached)
    if setting is None:
        return None
    from huggingface_hub import is_offline_mode

    if is_offline_mode():
        raise RerankerUnavailableError(
            f"{wanted} is not on this machine, and the hub is off", hint=RERANKER_HINT
        )
    return FoundReranker(wanted, None)


class LazyReranker:
    """A reranker that is found and loaded at its first use; safe to use from several threads."""

    def __init__(self, setting: str | None = None, *, progress: Callable[[str], None] | None = None) -> None:
        self._setting = setting
        self._progress = progress
        self._model: CrossEncoder | None = None
        self._lock = threading.Lock()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One finite number for each text, higher is better. Raises RerankerUnavailableError, ValueError."""
        if not texts:
            return []
        with self._lock:
            if self._model is None:
                self._model = self._load()
            # Texts of one length together: what is padded is read for nothing.
            order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
            with one_thread():
                scores = self._model.predict(
                    [(query, texts[number]) for number in order], batch_size=_BATCH, show_progress_bar=False
                )
        found = [0.0] * len(texts)
        for number, score in zip(order, scores, strict=True):
            found[number] = float(score)
        if not all(math.isfinite(score) for score in found):
            raise ValueError("the reranker gave a score that is no finite number")
        return found

    def _load(self) -> CrossEncoder:
        found = find_reranker(self._setting)
        if found is None:
            raise RerankerUnavailableError(why_none(self._setting), hint=RERANKER_HINT)
        if self._progress is not None:
            what = "loading" if found.folder is not None else "downloading and loading"
            self._progress(f"{what} the reranker {found.name}")
        return _load_model(found.folder or _download(found.name))


NOT_HERE = f"{DEFAULT_RERANKER} is not on this machine"


def why_none(setting: str | None) -> str:
    """Why there is no reranker, in words."""
    return "switched off" if setting == NONE else NOT_HERE


def chosen_reranker(
    setting: str | None, *, progress: Callable[[str], None] | None = None
) -> LazyReranker | None:
    """The reranker of a session, None when it is switched off.

    One that was named must be there (RerankerUnavailableError). Where the default is not there, searches
    record that reranking was skipped, and why.
    """
    if setting is not None and find_reranker(setting) is None:
        return None
    return LazyReranker(setting, progress=progress)


def _load_model(folder: Path) -> CrossEncoder:
    """The model, from safetensors only and without code of its own."""
    with quiet():
        import sentence_transformers

        with silent_transformers():
            try:
                model = sentence_transformers.CrossEncoder(
                    str(folder),
                    trust_remote_code=False,
                    local_files_only=True,
                    device="cpu",
                    model_kwargs={"use_safetensors": True, "dtype": "float32"},
                )
            except Exception as error:  # whatever a damaged or foreign folder makes of three libraries
                raise RerankerUnavailableError(
                    f"the reranker in {folder} cannot be loaded: its files are damaged or of another kind",
                    hint=RERANKER_HINT,
                    told="the reranker cannot be loaded",
                ) from error
    if model.num_labels != 1:
        raise RerankerUnavailableError(
            f"the model in {folder} gives {model.num_labels} numbers for a passage, a reranker gives one",
            hint=RERANKER_HINT,
            told="the model that was named is no reranker",
        )
    bound_threads()
    return model


def _cached(name: str) -> Path | None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    return folder if (folder / "config.json").is_file() and any(folder.glob("*.safetensors")) else None


def _download(name: str) -> Path:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    shown = not are_progress_bars_disabled()
    disable_progress_bars()
    try:
        HfApi().model_info(name, timeout=_HUB_SECONDS)
        return Path(snapshot_download(name, allow_patterns=_FILES, etag_timeout=_HUB_SECONDS))
    except Exception as error:  # the hub's client raises its own, httpx's and the system's errors
        raise RerankerUnavailableError(
            f"the reranker {name} cannot be had from the hub", hint=RERANKER_HINT
        ) from error
    finally:
        if shown:
            enable_progress_bars()
