"""What readers of files say of a file that they cannot read is there in the reader's language."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation import override

from extraction import signatures
from extraction.formats import _READABLE
from ingest.review.stored_sentences import SENTENCES, said_again
from ingest.review.warnings import details_of, sentence_of

ROOT = Path(settings.BASE_DIR)
REFUSING = {"ExtractionFailed", "_unsupported"}
OF_A_PICTURE = {"no_such_page", "This page cannot be drawn."}  # and not of a job


def refusals() -> Iterator[str]:
    """The sentences of readers, with a number for each value in them."""
    modules = [*(ROOT / "extraction").rglob("*.py"), *(ROOT / "ingest/stages").glob("*.py")]
    for tree in (ast.parse(path.read_text(encoding="utf-8")) for path in modules):
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REFUSING:
                said = [text for argument in call.args if (text := written(argument))]
                if said and not OF_A_PICTURE & set(said):
                    yield said[-1]
    for _start, what in (*signatures.BINARIES, *signatures.TEXTS):
        yield f"This is {what}. {_READABLE}"
    for _stream, what in signatures.OLD_OFFICE:
        yield f"This is {what} and upload it again."
    yield from signatures.ARCHIVES.values()
    yield from (sentence for _address, sentence in signatures.XML)


def written(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.JoinedStr):
        return ""
    return "".join(part.value if isinstance(part, ast.Constant) else value(part) for part in node.values)  # type: ignore[misc]


def value(part: ast.expr) -> str:
    return _READABLE if "_READABLE" in ast.unparse(part) else "7"


def test_every_sentence_of_the_readers_is_known() -> None:
    found = {sentence for sentence in refusals() if " " in sentence and not sentence.startswith(("7", "This is 7"))}
    assert len(found) > 35
    with override("he"):
        assert sorted(sentence for sentence in found if said_again(sentence) in (None, sentence)) == []


def test_values_of_a_stored_sentence_are_kept() -> None:
    stored = "The file has 812 pages; at most 500 are accepted."
    with override("he"):
        assert said_again(stored) == "בקובץ 812 עמודים, ומתקבלים לכל היותר 500."
        assert sentence_of("too_many_pages", stored) == said_again(stored)
        assert details_of("too_many_pages", stored) == ""
    assert sentence_of("too_many_pages", stored) == stored


def test_an_unknown_sentence_is_told_beside_that_of_its_code() -> None:
    with override("he"):
        assert sentence_of("corrupt", "The seal is broken.") == "הקובץ פגום ואי אפשר לקרוא אותו."
        assert details_of("corrupt", "The seal is broken.") == "The seal is broken."
    assert details_of("corrupt", "The seal is broken.") == ""


def test_no_sentence_takes_what_another_says() -> None:
    values = dict.fromkeys(("n", "most", "format", "name", "formats", "by", "why"), "7")
    for sentence in SENTENCES:
        assert said_again(sentence % values) == sentence % values
