"""What the style sheets in a page hide of it, and what they write into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from extraction.document import Losses, LostWhat, characters_of

MAX_RULES = 200  # that hide or write something
MAX_WORK = 500_000_000  # rules times characters of the page, each of which takes a look at all elements
MAX_SELECTOR_LENGTH = 500
MAX_SHARE = 0.3  # of the page's text. What hides more is a page that opens by a click, and is read.

_SHEET = re.compile(r"<style\b(?P<of>[^>]{0,500})>(?P<text>[^<]*(?:<(?!/style)[^<]*)*)", re.I)
_FOR_OTHERS = re.compile(r"""\bmedia\s*=\s*["']?\s*(?:print|speech)\b""", re.I)
_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|<!--|-->")
_BRACE = re.compile("[{}]")
_SHOWS = re.compile(r"(?:^|[;\s])(?:display\s*:\s*(?P<display>[\w-]+)|visibility\s*:\s*(?P<visibility>[\w-]+))", re.I)
_CONTENT = re.compile(r"(?:^|[;\s])content\s*:\s*(?P<what>[^;]+)", re.I)
_WRITTEN = re.compile(r":{1,2}(?:before|after)\s*$", re.I)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_WORD = re.compile(r"\w")


class _Rule(NamedTuple):
    selector: str
    said: str


def hide_by_style(page: LexborHTMLParser, html: str) -> None:
    """Mark what the page's style hides as hidden, unless it is much of the page."""
    hidden: dict[int, LexborNode] = {}
    for rule in _rules(html, _SHOWS):
        shown = _SHOWS.search(rule.said)
        is_hidden = shown is not None and (shown["display"] or shown["visibility"]).lower() in {"none", "hidden"}
        for node in _matched(page, rule.selector):
            if is_hidden and not _SHOWS.search(node.attributes.get("style") or ""):
                hidden[node.mem_id] = node
            else:
                hidden.pop(node.mem_id, None)
    whole = characters_of(page.body.text()) if hidden and page.body else 0
    if sum(characters_of(node.text()) for node in hidden.values()) <= MAX_SHARE * whole:
        for node in hidden.values():
            node.attrs["hidden"] = ""


def count_written(page: LexborHTMLParser, html: str, losses: Losses) -> None:
    """Count the words and numbers that the style writes before and behind elements."""
    for rule in _rules(html, _CONTENT):
        content = _CONTENT.search(rule.said)
        if content is None or not _WRITTEN.search(rule.selector):
            continue
        texts = "".join(first or second for first, second in _STRING.findall(content["what"]))
        each = characters_of(texts) if _WORD.search(re.sub(r"\\[0-9a-f]{1,6}", "", texts, flags=re.I)) else 0
        each += "counter" in content["what"]
        losses.add(LostWhat.OTHER, each * len(_matched(page, _WRITTEN.sub("", rule.selector))))


def _rules(html: str, of: re.Pattern[str]) -> Iterator[_Rule]:
    """The rules of the page's sheets that say something of a kind, one for each selector."""
    sheets = (sheet["text"] for sheet in _SHEET.finditer(html) if not _FOR_OTHERS.search(sheet["of"]))
    found = (
        _Rule(selector.strip(), said)
        for sheet in sheets
        for selectors, said in _blocks(_COMMENT.sub(" ", sheet))
        if of.search(said)
        for selector in selectors.split(",")
        if len(selector) <= MAX_SELECTOR_LENGTH
    )
    return islice(found, min(MAX_RULES, MAX_WORK // max(1, len(html))))


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """What stands before a block, and in it, without those that hold only in some places (`@media`)."""
    begin = inner = depth = 0
    for brace in _BRACE.finditer(sheet):
        if brace[0] == "{":
            inner = inner if depth else brace.end()
            depth += 1
        elif depth:
            depth -= 1
            head = sheet[begin : inner - 1].rpartition(";")[2].strip()
            if not depth:
                begin = brace.end()
                if not head.startswith("@"):
                    yield head, sheet[inner : brace.start()]


def _matched(page: LexborHTMLParser, selector: str) -> list[LexborNode]:
    """The elements that a selector means. None if it is not understood."""
    try:
        return page.css(selector) if selector else []
    except SelectolaxError:
        return []
