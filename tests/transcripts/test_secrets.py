"""Forms of secrets that are taken out, and words that only look like them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pincite.transcripts.events import NoticeEvent, ToolResultEvent
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("password=hunter22", "password=[redacted]"),
        ("DB_PASSWORD = correcthorse", "DB_PASSWORD = [redacted]"),
        ("/login?password=abc12345&user=joe", "/login?password=[redacted]&user=joe"),
        ("Password=Abc12345;Server=db1", "Password=[redacted];Server=db1"),
        ("api_key: 0123456789abcdef", "api_key: [redacted]"),
        ("X-Api-Key: 0123456789012345678", "X-Api-Key: [redacted]"),
        ("API key: k3y-of-the-house", "API key: [redacted]"),
        ('{"password": "hunterhunter"}', '{"password": "[redacted]"}'),
        (json.dumps({"q": '{"passwd": "hunterhunter"}'}), '{"q": "{\\"passwd\\": \\"[redacted]\\"}"}'),
        ("client_secret = 'abcdefgh1'", "client_secret = '[redacted]'"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "AWS_SECRET_ACCESS_KEY=[redacted]"),
        ("access_token=abcdef123456", "access_token=[redacted]"),
        ("passphrase := opensesame", "passphrase := [redacted]"),
        ("https://joe:s3cret!@host.example/x", "https://joe:[redacted]@host.example/x"),
        ("postgresql://u:p4ss@db:5432/x", "postgresql://u:[redacted]@db:5432/x"),
        ("redis://:topsecret@cache", "redis://:[redacted]@cache"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"),
    ],
)
def test_a_secret_that_has_its_name_before_it_is_taken_out_and_the_name_stays(text: str, left: str) -> None:
    redactor = Redactor()
    assert redactor.text(f"before {text} behind") == (f"before {left} behind", 1)
    assert redactor.text(left) == (left, 0)


@pytest.mark.parametrize(
    "text",
    [
        "the password: shall be at least twelve characters long",
        "Password: minimum of 8 characters, changed after 90 days",
        "The secret: trust, a token: gratitude, the key: patience.",
        "Secrets: see Annex 2b. Credentials: those of clause 14.3",
        "Access key: 2 per tenant. Key: 2026-11-30",
        "password = os.environ['PASSWORD'], Client(token.address, authkey=self._authkey)",
        "password=${DB_PASSWORD} password=<your password> password=********",
        "password: null, api_key = None, token=",
        "max_tokens=4096, keyword: 12ab34cd, monkey=12ab34cd",
        "http://localhost:8080/@home and joe@example.com, time 10:30@noon",
        "https://host.example:8443/a?b=c:d@e",
    ],
)
def test_words_of_a_contract_or_a_manual_stay(text: str) -> None:
    assert Redactor().text(text) == (text, 0)


def test_a_secret_known_by_its_name_is_taken_out_wherever_it_comes_again(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s"))
    shown = {"text": "api_key: 0123456789abcdef", "passages": [{"text": "api_key: 0123456789abcdef"}]}
    writer.append(ToolResultEvent(call_id="c", name="search", result=shown))
    writer.append(NoticeEvent(code="x", message="The key is 0123456789abcdef."))
    writer.close()
    text = path.read_text(encoding="utf-8")
    assert "0123456789abcdef" not in text
    assert json.loads(text.splitlines()[1])["pincite.message"] == "The key is [redacted]."


def test_a_word_is_not_learned_for_a_secret() -> None:
    redactor = Redactor()
    assert redactor.text("password=required")[1] == 1
    assert redactor.text("It is required.") == ("It is required.", 0)


@pytest.mark.parametrize(
    "text",
    ["a-" * 100_000, "password" * 25_000, "key: " * 40_000, "://" + "a:" * 100_000, "https://" * 25_000,
     "password=" * 25_000, "password: " + "a" * 200_000, "http://" + "a" * 200_000],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    began = time.process_time()
    Redactor().text(text)
    assert time.process_time() - began < 2
