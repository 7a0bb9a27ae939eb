"""The texts of a page, in English and in Spanish."""

import json
import re
from collections.abc import Iterable
from functools import cache

from tests.kit.browser.guests import Guest
from tests.kit.repository import ROOT
from tools import terminal_words

MESSAGES = ROOT / "web" / "src" / "words"
KEY = re.compile(r"^[a-z_]+(\.[A-Za-z0-9_]+)+$")
"""A key that stands where its text should be."""
FINGERPRINT = re.compile(r"[0-9a-f …]{16,}")
"""What a deck was sealed with, whole or its first digits."""
CLAUSE = re.compile(r"\b[A-Z]\.\d+\w*(\.\w+)*")
"""The id of a clause, such as O.9.note, which is the same in every language."""
TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) found.push(node.data.trim());
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) {
      found.push(one.getAttribute(name) ?? "");
    }
  }
  return found.filter(Boolean);
}"""


def messages(language: str) -> dict[str, str]:
    """The texts of a language."""
    found: dict[str, str] = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
    return found


def check_texts(guest: Guest) -> None:
    """No key stands where its text should be, and no blank was left unfilled."""
    texts = guest.page.evaluate(TEXTS)
    assert texts
    keys = set(messages("en"))
    assert [text for text in texts if text in keys and KEY.match(text)] == []
    assert [text for text in texts if re.search(r"\{\w+\}|undefined|NaN", text)] == []


def words_of(texts: Iterable[str]) -> set[str]:
    """Every word of two letters or more; the names of blanks are none."""
    plain = (re.sub(r"\{\w+\}", " ", text).lower() for text in texts)
    return {word for text in plain for word in re.findall(r"\b[^\W\d_]{2,}\b", text)}


@cache
def english_words() -> set[str]:
    """The words of the page's English texts and of the server's sentences that no Spanish has."""
    said = terminal_words.said()
    sentences = [one["text"] for one in said["steps"]] + [one["because"] for one in said["lines"]]
    english = words_of([*messages("en").values(), *sentences])
    return english - words_of(messages("es").values())


def check_spanish(guest: Guest) -> None:
    """Nothing on the page has a word that is English and nothing else."""
    check_texts(guest)
    english = english_words()
    assert {"dealer", "hand", "wins", "beats"} <= english
    texts = [text for text in guest.page.evaluate(TEXTS) if not FINGERPRINT.fullmatch(text)]
    words = {text: words_of([CLAUSE.sub("", text)]) & english for text in texts}
    assert {text: found for text, found in words.items() if found} == {}
