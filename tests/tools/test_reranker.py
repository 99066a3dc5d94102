"""The real loading code, on a tiny random cross-encoder made here."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pincite.tools.reranker import LazyReranker, RerankerUnavailableError, find_reranker

WORDS = ["the", "boiler", "pressure", "rent", "is", "due", "bar", "what", "a", "b", "##s", "##e"]


def make_cross_encoder(folder: Path, *, labels: int = 1) -> Path:
    """A BertForSequenceClassification of a few numbers, with a WordPiece vocabulary, saved to `folder`."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
    vocabulary = {name: number for number, name in enumerate(names)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(names),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=64,
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_cross_encoder(tmp_path_factory.mktemp("models") / "tiny-cross-encoder")


def test_scores_are_finite_and_do_not_depend_on_the_company(folder: Path) -> None:
    said: list[str] = []
    reranker = LazyReranker(str(folder), progress=said.append)
    texts = ["the boiler pressure is a bar", "rent", "the rent is due " * 40, "pressure", ""]
    together = reranker.score("what is the pressure", texts)
    assert len(together) == len(texts) and all(map(math.isfinite, together))
    assert len({round(score, 5) for score in together}) > 1
    alone = [reranker.score("what is the pressure", [text])[0] for text in texts]
    assert together == pytest.approx(alone, abs=1e-5)
    assert reranker.score("what", []) == []
    assert said == ["loading the reranker tiny-cross-encoder"]


def test_a_folder_that_is_no_reranker_is_one_line(tmp_path: Path, folder: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "config.json").write_text("{")
    for place in (damaged, make_cross_encoder(tmp_path / "three", labels=3)):
        with pytest.raises(RerankerUnavailableError) as caught:
            LazyReranker(str(place)).score("what", ["rent"])
        assert str(place) in caught.value.message and "\n" not in caught.value.message
        assert len(caught.value.message) < 300


def test_weights_that_are_no_numbers_are_an_error(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    place = make_cross_encoder(tmp_path / "spoilt")
    weights = load_file(place / "model.safetensors")
    weights["classifier.bias"][:] = float("nan")
    save_file(weights, place / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match="finite"):
        LazyReranker(str(place)).score("what", ["rent"])


def test_what_is_found(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    found = find_reranker(str(folder))
    assert found is not None and found.folder == folder
    assert find_reranker("none") is None
    assert find_reranker() is None
    for named in ("no/such-model", "/no/such/folder"):
        with pytest.raises(RerankerUnavailableError):
            find_reranker(named)
