"""Words broken at the line end."""

from sources.extraction.pdf.text.hyphens import Hyphenation

BREAK = "\ufffe"


def test_a_compound_seen_inside_a_line_keeps_its_hyphen() -> None:
    hyphenation = Hyphenation()
    hyphenation.learn("a risk-based approach")
    assert hyphenation.join("under a risk" + BREAK, "based plan") == "under a risk-based plan"


def test_a_word_seen_whole_loses_the_hyphen_of_the_break() -> None:
    hyphenation = Hyphenation()
    hyphenation.learn("the jurisdiction of the tribunal")
    assert hyphenation.join("within its juris" + BREAK, "diction and") == "within its jurisdiction and"


def test_a_capital_after_the_break_keeps_the_hyphen() -> None:
    assert Hyphenation().join("the Anti" + BREAK, "Money Laundering rules") == "the Anti-Money Laundering rules"


def test_an_unknown_word_follows_what_the_document_did_before() -> None:
    hyphenation = Hyphenation()
    hyphenation.learn("regulation supervision")
    hyphenation.join("regu" + BREAK, "lation")
    hyphenation.join("super" + BREAK, "vision")
    assert hyphenation.join("under" + BREAK, "taking") == "undertaking"
