"""The quotations of a text: between quotation marks of any language, as an indented block, or behind a colon."""

import re
from collections.abc import Collection, Iterator

from law.checking.quotation_marks import MAX_LENGTH, Quotation, between_marks
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references.names import is_kind

_BLOCK = regex(r"(?:^(?:[ \t]*>|[ ]{4,}|\t)[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LEADS_IN = regex(
    rf"(?P<lead>{either(language.quoting.leads_in for language in LANGUAGES)})[ \t]*\n\s*"
    r"(?P<quoted>[^\n]+(?:\n[^\n]+)*)",
    re.IGNORECASE,
)
_MARKS = frozenset("“”„«‹‚\"״‘'")
_NAMING = regex(rf"(?:{either(language.quoting.naming for language in LANGUAGES)}|[\s,:;–—-])+", re.IGNORECASE)
_MAX_NAME = 6  # words
_IN_BRACKETS = 120  # characters
_EDGE = " \t\n>,.;:…—–-"


def find_quotations(text: str, *, no_blocks: Collection[int] = ()) -> list[Quotation]:
    """The outermost quotations of a text, in order and apart from one another. None goes on over an empty line.

    What a bracket only gives a name (`(the “Act”)`) is none.
    `no_blocks` are where paragraphs begin that are no quotations, though they are indented or follow a colon.
    """
    blocks = [one for one in _blocks(text) if one.outer_start not in no_blocks]
    found = [*blocks]
    for one in between_marks(text):
        if not any(block.outer_start <= one.outer_start and one.outer_end <= block.outer_end for block in blocks):
            found.append(_trimmed(text, one))
    found.sort(key=lambda one: (one.outer_start, -one.outer_end))
    kept: list[Quotation] = []
    for one in found:
        if not kept or one.outer_start >= kept[-1].outer_end:
            kept.append(one)
    return [one for one in kept if not _is_named(text, one)]


def _is_named(text: str, one: Quotation) -> bool:
    """Whether it is what a bracket calls something: `(hereinafter: “the Company” or “Acme”)`, `(“NCCA”)`."""
    name = text[one.start : one.end]
    start = text.rfind("(", max(one.outer_start - _IN_BRACKETS, 0), one.outer_start)
    end = text.find(")", one.outer_end, one.outer_end + _IN_BRACKETS)
    if start < 0 or end < 0 or len(name.split()) > _MAX_NAME:
        return False
    beside = text[start + 1 : end]
    if any(sign in beside for sign in "()\n"):
        return False
    for other in between_marks(beside):
        beside = beside[: other.outer_start] + " " * (other.outer_end - other.outer_start) + beside[other.outer_end :]
    if beside.strip():
        return _NAMING.fullmatch(beside) is not None
    words = name.removeprefix("the ").split()
    return all(word[:1].isupper() or word[:1].isdigit() for word in words) or is_kind(words[0])


def _blocks(text: str) -> Iterator[Quotation]:
    for pattern in (_BLOCK, _LEADS_IN):
        for found in pattern.finditer(text):
            start, end = found.span("quoted") if "quoted" in found.groupdict() else found.span()
            if end - start > MAX_LENGTH or not any(char.isalpha() for char in text[start:end]):
                continue
            block = _trimmed(text, Quotation(start, end, start, end, certain=False))
            if marked := _whole_in_marks(text, block):
                yield marked
            elif text[block.start] not in _MARKS:  # else its marks say where it ends
                yield block


def _whole_in_marks(text: str, block: Quotation) -> Quotation | None:
    """An indented paragraph that stands in marks, which leave no doubt."""
    one = next(between_marks(text[block.start : block.end]), None)
    if one is None or one.outer_start or text[block.start + one.outer_end : block.end].strip(_EDGE):
        return None
    words = Quotation(one.start + block.start, one.end + block.start, block.outer_start, block.outer_end)
    return _trimmed(text, words)


def _trimmed(text: str, one: Quotation) -> Quotation:
    begun = text[one.start : one.end].lstrip(_EDGE)
    start = one.end - len(begun)
    return one._replace(start=start, end=start + len(begun.rstrip(" \t\n")))


def without_quotations(text: str, quotations: list[Quotation], *, longer_than: int) -> str:
    """The text with spaces in place of quotations of more than so many words: what they cite, the law cites."""
    parts, at = [], 0
    for one in quotations:
        if len(text[one.start : one.end].split()) > longer_than:
            parts += [text[at : one.start], " " * (one.end - one.start)]
            at = one.end
    return "".join([*parts, text[at:]])
