"""The page in real Chromium: asked by keyboard, citations opened beside the answer, nothing in it can run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import ALDER, Running, make_site, running, token_file, write

from pincite.cli.terminal import safe
from pincite.corpus.sync import sync

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
    # The driver's own loop is closed by the interpreter.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Any, served: Running) -> Iterator[Any]:
    with_page = browser.new_page(viewport={"width": 1200, "height": 800})
    problems: list[str] = []
    with_page.on("pageerror", lambda error: problems.append(str(error)))
    with_page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    with_page.on("dialog", lambda dialog: problems.append(f"dialog {dialog.message}"))
    with_page.goto(served.url)
    yield with_page
    with_page.close()
    assert not problems


def ask(page: Any, question: str) -> Any:
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")
    article = page.get_by_role("log").locator("article").last
    article.get_by_text("How it was found").wait_for()
    return article


def test_a_citation_opens_its_section_beside_the_answer_with_the_words_marked(page: Any) -> None:
    article = ask(page, ALDER)
    assert "3.00%" in article.inner_text()
    article.get_by_role("button", name="Source 1").first.click()
    reader = page.get_by_role("complementary", name="Document")
    reader.locator("mark").wait_for()
    assert reader.locator("mark").inner_text() in "The entry charge is 3.00%. The exit charge is 0.30%."
    assert "Alder Growth Fund" in page.locator("#reader-title").inner_text()
    left, right = article.bounding_box(), reader.bounding_box()
    assert left["x"] + left["width"] <= right["x"] + 1


def test_a_follow_up_and_a_greeting_in_one_conversation(page: Any) -> None:
    ask(page, ALDER)
    assert "1.25%" in ask(page, "and for the bond fund?").inner_text()
    assert "Not from your documents" in ask(page, "thanks").inner_text()
    page.get_by_role("button", name="Steps of this session").click()
    reader = page.get_by_role("complementary", name="Document")
    reader.get_by_text("Calls search").first.wait_for()
    assert "keyword: ok" in reader.inner_text()


def test_everything_can_be_done_with_the_keyboard(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.get_by_label("Question", exact=True).focus()
    page.keyboard.type(ALDER)
    page.keyboard.press("Enter")
    page.get_by_text("How it was found").first.wait_for()
    cite = page.get_by_role("button", name="Source 1").first
    cite.focus()
    page.keyboard.press("Enter")
    page.locator("#reader-text mark").wait_for()
    assert page.evaluate("document.activeElement.id") == "reader-title"
    page.keyboard.press("Escape")
    assert not page.locator("#reader").is_visible()
    assert page.evaluate("document.activeElement.className") == "cite"


def test_markup_in_documents_questions_and_answers_is_only_text(page: Any) -> None:
    article = ask(page, "What is the marker fee <img src=x onerror=alert(2)>?")
    assert page.locator("article img, article b, #reader img").count() == 0
    assert "<img src=x onerror=alert(2)>" in article.inner_text()
    page.get_by_role("button", name="Documents", exact=True).click()
    hostile = page.get_by_role("button", name="<img src=x onerror=alert(1)>")
    hostile.first.click()
    page.get_by_role("button", name="Notes").click()
    page.locator("#reader-text").get_by_text("<b>7</b> crowns & more").wait_for()
    assert page.locator("#documents img, #reader img, #reader b").count() == 0


def test_signs_that_turn_text_around_are_written_out_as_on_a_terminal(
    page: Any, browser: Any, tmp_path: Path
) -> None:
    codes = [code for code in range(0x110000) if safe(chr(code)) != chr(code)]
    asked = [*codes, *map(ord, "a\t\n\u05d0\u00ad\u200b😀")]
    shown = page.evaluate(
        "async (codes) => { const { visible } = await import('/parts.js');"
        " return codes.map((code) => visible(String.fromCodePoint(code))); }",
        asked,
    )
    assert shown == [safe(chr(code)) for code in asked]
    whole = "async () => { const { visible } = await import('/parts.js'); let n = 0;"
    whole += (
        " for (let c = 0; c < 0x110000; c++) { const s = String.fromCodePoint(c); n += visible(s) !== s; }"
    )
    assert page.evaluate(whole + " return n; }") == len(codes)
    texts = {
        "turned\u202e.md": "# Fees \u202eeert\u202c 😀\n\n## Part \u2067one\u2069\n\n"
        "All is 😀 well.\n\nThe narwhal fee is \u202e001\u202c euros.\n"
    }
    sync([write(tmp_path / "texts", texts)], tmp_path / "kb", vectors=False)
    with running(make_site(tmp_path / "kb")) as found:
        other = browser.new_page()
        other.goto(found.url)
        article = ask(other, "What is the narwhal fee\u202e?")
        assert r"is \u202e001\u202c euros." in article.locator("p").first.inner_text()
        assert r"\u202e001\u202c" in article.locator("blockquote").inner_text()
        article.get_by_role("button", name="Source 1").first.click()
        other.locator("#reader-text mark").wait_for()
        assert other.locator("#reader-text mark").inner_text() == r"The narwhal fee is \u202e001\u202c euros."
        other.get_by_role("button", name="Documents", exact=True).click()
        other.locator("#document-list button").first.click()
        other.locator("#document-list li li").first.wait_for()
        held = other.evaluate(
            "[document.body.innerText, ...[...document.querySelectorAll('*')].flatMap("
            "(one) => [...one.attributes].map((a) => a.value))].join(' ')"
        )
        assert not [sign for sign in "\u202e\u202c\u2067\u2069" if sign in held]
        assert r"Part \u2067one\u2069" in held and r"Fees \u202eeert\u202c" in held
        other.close()


def test_documents_are_walked_by_their_contents(page: Any) -> None:
    page.get_by_role("button", name="Documents", exact=True).click()
    page.locator("#document-list").get_by_role("button", name="Birch Bond Fund", exact=True).first.click()
    page.locator("#document-list").get_by_role("button", name="Costs").click()
    page.locator("#reader-text").get_by_text("1.25%").wait_for()


def test_many_documents_are_walked_by_folder_and_deep_ones_by_section(browser: Any, tmp_path: Path) -> None:
    parts = [
        f"## Part {part}\n\n"
        + "\n\n".join(
            f"### Chapter {part}.{n}\n\n#### Rule {part}.{n}.1\n\nRule text {part}.{n}." for n in range(1, 9)
        )
        for part in range(1, 40)
    ]
    deep = "# Code\n\n" + "\n\n".join(parts)
    texts = write(tmp_path / "texts", {"code.md": deep})
    for year in (2019, 2020):
        files = {f"memo-{n:03}.md": f"# Memo {year}-{n:03}\n\nRoom {n} was painted.\n" for n in range(120)}
        write(texts / str(year), files)
    sync([texts], tmp_path / "kb", vectors=False)
    with running(make_site(tmp_path / "kb")) as found:
        page = browser.new_page()
        page.goto(found.url)
        page.get_by_role("button", name="Documents", exact=True).click()
        tree = page.locator("#document-list")
        tree.get_by_role("button", name="Folder texts/2020/, 120 documents").click()
        more = tree.get_by_role("button", name="More")
        more.click()
        tree.get_by_role("button", name="Memo 2020-119").click()
        tree.get_by_role("button", name="Code", exact=True).first.click()
        below = tree.get_by_role("button", name="Sections below Part 1", exact=True)
        below.click()
        tree.get_by_role("button", name="Rule 1.1.1", exact=True).click()
        assert below.get_attribute("aria-expanded") == "true"
        page.locator("#reader-text").get_by_text("Rule text 1.1.").wait_for()
        page.keyboard.press("Escape")
        page.get_by_label("Words in the name of a document").fill("2019-007")
        page.keyboard.press("Enter")
        tree.get_by_role("button", name="Memo 2019-007").wait_for()
        assert tree.locator("> li").count() == 1
        page.get_by_label("Words in the name of a document").fill("nothing like it")
        page.keyboard.press("Enter")
        tree.get_by_text("No document's name holds").wait_for()
        page.close()


def test_past_sessions_are_opened_and_go_on(page: Any) -> None:
    ask(page, ALDER)
    page.get_by_role("button", name="New conversation").click()
    assert page.get_by_role("log").locator("article").count() == 0
    page.get_by_role("button", name="Sessions", exact=True).click()
    page.locator("#session-list").get_by_role("button", name=ALDER, exact=True).first.click()
    page.get_by_role("log").locator("article").first.wait_for()
    assert "0.30%" in ask(page, "and its exit charge?").inner_text()


def test_it_has_names_for_screen_readers_and_reaches_across_a_phone(browser: Any, served: Running) -> None:
    phone = browser.new_page(viewport={"width": 360, "height": 640}, color_scheme="dark")
    phone.goto(served.url)
    article = ask(phone, ALDER)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    article.get_by_role("button", name="Source 1").first.click()
    phone.locator("#reader-text mark").wait_for()
    assert phone.locator("#reader").bounding_box()["width"] >= 350
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    dark = phone.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    phone.emulate_media(color_scheme="light")
    assert phone.evaluate("getComputedStyle(document.documentElement).backgroundColor") != dark
    unnamed = phone.evaluate(
        "[...document.querySelectorAll('button, textarea, input')].filter("
        "(one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length)).length"
    )
    assert unnamed == 0
    assert phone.evaluate("document.documentElement.lang") == "en"
    phone.close()


def test_a_token_is_asked_for_and_kept_for_the_tab(browser: Any, db: Path, tmp_path: Path) -> None:
    tokens = token_file(tmp_path / "tokens.toml", {"name": "anna", "groups": []})
    with running(make_site(db, tokens), None) as found:
        page = browser.new_page()
        page.goto(found.url)
        field = page.get_by_label("This server asks for a token.")
        for wrong in ("anne", "änna", "anna anna"):
            field.fill(wrong)
            page.keyboard.press("Enter")
            page.get_by_role("alert").get_by_text("This token is not valid.").wait_for()
            assert page.locator("#login").is_visible()
        field.fill("anna")
        page.keyboard.press("Enter")
        page.locator("#login").wait_for(state="hidden")
        assert "3.00%" in ask(page, ALDER).inner_text()
        page.close()


def test_a_question_waits_while_a_token_is_asked_for(browser: Any, db: Path, tmp_path: Path) -> None:
    tokens = token_file(tmp_path / "tokens.toml", {"name": "anna", "groups": []})
    with running(make_site(db, tokens), None) as found:
        page = browser.new_page()
        page.goto(found.url)
        page.get_by_label("This server asks for a token.").fill("anna")
        page.keyboard.press("Enter")
        page.locator("#login").wait_for(state="hidden")
        token_file(tokens, {"name": "berta", "groups": []})
        question = page.get_by_label("Question", exact=True)
        question.fill(ALDER)
        page.keyboard.press("Enter")
        page.get_by_role("alert").get_by_text("no longer valid").wait_for()
        page.get_by_label("This server asks for a token.").fill("berta")
        page.keyboard.press("Enter")
        page.locator("#login").wait_for(state="hidden")
        assert question.input_value() == ALDER
        assert page.get_by_role("log").locator("article").count() == 0
        question.press("Enter")
        page.get_by_text("How it was found").wait_for()
        page.close()
