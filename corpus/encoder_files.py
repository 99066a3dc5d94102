"""Reads what an encoder is from its folder, without torch: weights' digest, length, dimension, prefixes."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from pincite.corpus.encoder_spec import EncoderDamagedError, EncoderSpec
from pincite.corpus.reasons import in_words

DEFAULT_NAME = "sentence-transformers/all-MiniLM-L6-v2"
DEFAULT_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

# Families whose older models do not say in their files which words they were trained with in front.
# (pattern of the name, before a question, before a text), the first that fits.
_RETRIEVE = "Represent this sentence for searching relevant passages: "
_FAMILIES = (
    (
        r"e5-.*instruct",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
        "",
    ),
    (r"(?:^|-)e5-", "query: ", "passage: "),
    (r"bge-.*-zh", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"bge-(?:small|base|large)-en", _RETRIEVE, ""),
    (r"mxbai-embed-large", _RETRIEVE, ""),
    (r"snowflake-arctic-embed-(?:xs|s|m|l)$", _RETRIEVE, ""),
    (r"nomic-embed-text", "search_query: ", "search_document: "),
)


def read_spec(folder: Path, name: str) -> EncoderSpec:
    """The encoder in `folder`; `name` is for people and for finding its family.

    Raises EncoderDamagedError, naming the file, when something is missing or unusable.
    """
    config = _read(folder, "config.json")
    modules = _modules(folder)
    query, document = _prefixes(folder, name)
    return EncoderSpec(
        name=name,
        digest=weights_digest(folder),
        dimension=_dimension(folder, modules, config),
        query_prefix=query,
        document_prefix=document,
        max_length=_max_length(folder, config),
        tokenizer=_sha256(folder / "tokenizer.json"),
    )


def weights_digest(folder: Path) -> str:
    """SHA-256 of `model.safetensors`, or over the names and digests of all weights when there are more."""
    files = sorted(
        file
        for file in folder.rglob("*.safetensors")
        if file.relative_to(folder).parts[0] not in ("onnx", "openvino")
    )
    if not files:
        raise EncoderDamagedError(
            f"{folder} holds no weights in safetensors format", hint="choose another encoder"
        )
    if files == [folder / "model.safetensors"]:
        return _sha256(files[0])
    listing = "".join(f"{file.relative_to(folder).as_posix()} {_sha256(file)}\n" for file in files)
    return hashlib.sha256(listing.encode()).hexdigest()


def lower_cases(folder: Path) -> bool:
    """Whether the encoder gets its text in small letters, whatever its tokenizer does."""
    return bool(_read_if_there(folder, "sentence_bert_config.json").get("do_lower_case", False))


def _modules(folder: Path) -> list[tuple[str, Path]]:
    """(kind, folder) of each step behind the transformer, e.g. ("Pooling", …/1_Pooling)."""
    file = folder / "modules.json"
    if not file.is_file():
        return []
    found = _load(file)
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise EncoderDamagedError(f"{file} is not a list of modules")
    return [
        (str(entry.get("type", "")).rpartition(".")[2], folder / str(entry.get("path", "")))
        for entry in found
    ]


def _dimension(folder: Path, modules: list[tuple[str, Path]], config: dict[str, Any]) -> int:
    size = config.get("hidden_size", config.get("dim", config.get("d_model")))
    for kind, place in modules:
        if kind == "Pooling":
            pooling = _read(place, "config.json")
            width = pooling.get("embedding_dimension", pooling.get("word_embedding_dimension", size))
            modes = sum(value is True for key, value in pooling.items() if key.startswith("pooling_mode_"))
            size = width * max(1, modes) if isinstance(width, int) else None
        elif kind == "Dense":
            size = _read(place, "config.json").get("out_features")
    if not isinstance(size, int) or size < 1:
        raise EncoderDamagedError(f"{folder / 'config.json'} does not say how long a vector is")
    return size


def _max_length(folder: Path, config: dict[str, Any]) -> int:
    own = _read_if_there(folder, "sentence_bert_config.json").get("max_seq_length")
    if isinstance(own, int) and own > 0:
        return own
    positions = config.get("max_position_embeddings")
    length = _read_if_there(folder, "tokenizer_config.json").get("model_max_length")
    known = [n for n in (positions, length) if isinstance(n, int) and 0 < n < 1_000_000]
    if not known:
        raise EncoderDamagedError(f"{folder / 'config.json'} does not say how long a text may be")
    return min(known)


def _prefixes(folder: Path, name: str) -> tuple[str, str]:
    """The words before a question and before a text: as the model's files say, else by its family."""
    prompts = _read_if_there(folder, "config_sentence_transformers.json").get("prompts")
    if isinstance(prompts, dict) and any(prompts.values()):
        document = prompts.get("document") or prompts.get("passage") or ""
        return str(prompts.get("query") or ""), str(document)
    short = name.rpartition("/")[2].lower()
    for pattern, query, document in _FAMILIES:
        if re.search(pattern, short):
            return query, document
    return "", ""


def _read_if_there(folder: Path, file: str) -> dict[str, Any]:
    return _read(folder, file) if (folder / file).is_file() else {}


def _read(folder: Path, file: str) -> dict[str, Any]:
    found = _load(folder / file)
    if not isinstance(found, dict):
        raise EncoderDamagedError(f"{folder / file} does not hold settings")
    return found


def _load(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EncoderDamagedError(f"{file} cannot be read: {in_words(error)}") from error


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise EncoderDamagedError(f"{file} cannot be read: {in_words(error)}") from error
