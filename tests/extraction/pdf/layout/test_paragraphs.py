"""Paragraphs from the places of lines."""

from collections.abc import Sequence

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.layout.paragraphs import ParagraphMaker
from extraction.pdf.text.line_ends import Hyphenation
from tests.extraction.pdf.making import text_line

LEAD = 15.0
BREAK = "\ufffe"


def hebrew_column(*lines: tuple[str, float, float], start: float = 700.0) -> list[TextLine]:
    """Justified Hebrew lines: (text, where it ends on the left, extra space above)."""
    placed, y = [], start
    for text, left, extra in lines:
        y -= LEAD + extra
        placed.append(text_line(text, left=left, right=540.0, baseline=y))
    return placed


def paragraphs(lines: Sequence[TextLine], *, hebrew: bool = True) -> list[str]:
    return ParagraphMaker().page(lines, hebrew=hebrew)[0]


def test_line_that_ends_short_of_the_margin_ends_its_paragraph() -> None:
    lines = hebrew_column(
        ("בעל רישיון ינהל רישום של כל הפניות שקיבל ושל הטיפול בהן, ויעביר", 60, 0),
        ("אותו למפקח מדי שנה בשנה, לפי הטופס שבתוספת הראשונה לתקנות", 60, 0),
        ("אלה.", 510, 0),
        ("המפקח רשאי לדרוש מבעל הרישיון פרטים נוספים על הרישום, ובלבד", 60, 0),
        ("שנתן לו שהות סבירה.", 420, 0),
    )
    found = paragraphs(lines)
    assert len(found) == 2
    assert found[0].endswith("אלה.")


def test_a_wider_gap_on_a_steady_page_ends_a_paragraph() -> None:
    full = "שורה מלאה של טקסט שממשיכה עד סוף העמודה ועוד כמה מילים נוספות"
    lines = hebrew_column(*[(full, 60, 0)] * 5, (full, 60, 3), (full, 60, 0))
    assert len(paragraphs(lines)) == 2


def test_a_reference_at_the_start_of_a_line_is_no_new_clause() -> None:
    lines = hebrew_column(
        ("על אף האמור בכל דין, הוראות סעיף קטן", 60, 0),
        ("(ב) יחולו גם על מי שקיבל היתר לפני יום התחילה ועל כל מי שפועל", 60, 0),
        ("מטעמו או בשמו, ויראו אותו כבעל היתר לכל דבר ועניין לפי תקנות", 60, 0),
        ("אלה.", 500, 0),
    )
    assert len(paragraphs(lines)) == 1


def test_a_clause_marker_after_a_full_line_that_ended_starts_a_paragraph() -> None:
    lines = hebrew_column(
        ("(א) בעל היתר ישלם את האגרה עד תום החודש שבו ניתן לו ההיתר;", 60, 0),
        ("(ב) לא שילם בעל היתר את האגרה במועדה, ייווסף עליה סכום לפי", 60, 0),
        ("התוספת ויחולו עליו הוראות פרק זה, בשינויים המחויבים לפי העניין", 60, 0),
        ("והנסיבות.", 480, 0),
    )
    assert [text[:3] for text in paragraphs(lines)] == ["(א)", "(ב)"]


def test_a_section_number_after_a_heading_starts_a_paragraph() -> None:
    lines = [
        text_line("תשלום האגרה ומועדה", left=430, right=540, baseline=700),
        text_line("12. האגרה תשולם למפקח.", left=425, right=540, baseline=685),
    ]
    assert paragraphs(lines) == ["תשלום האגרה ומועדה", "12. האגרה תשולם למפקח."]


def test_a_section_one_starts_a_paragraph_behind_a_finished_one() -> None:
    for begins, texts in (("Section 4. Fees", 2), ("סעיף 4. אגרות", 2), ("Section 4 applies to", 1)):
        full = "The holder pays the fee that the authority sets for the year."
        lines = [
            text_line(full.replace("year.", "year,"), left=60, right=540, baseline=700),
            text_line(full, left=60, right=540, baseline=685),
            text_line(begins, left=60, right=160, baseline=670),
        ]
        assert len(paragraphs(lines, hebrew=False)) == texts


def test_ragged_lines_are_joined_while_next_word_had_no_room() -> None:
    lines = [
        text_line("The authority may, by notice in writing to the holder,", left=60, right=330, baseline=700),
        text_line("suspend a permit where it considers that the holder no", left=60, right=345, baseline=685),
        text_line("longer meets the conditions.", left=60, right=205, baseline=670),
        text_line("A suspension lapses after ninety days unless renewed by", left=60, right=340, baseline=655),
        text_line("the authority.", left=60, right=130, baseline=640),
    ]
    assert [text.split()[0] for text in paragraphs(lines, hebrew=False)] == ["The", "A"]


def test_a_first_line_indent_starts_a_paragraph() -> None:
    full = "שורה מלאה של טקסט שממשיכה עד סוף העמודה ועוד כמה מילים נוספות"
    lines = [text_line(full, right=525, baseline=700)]
    lines += [text_line(full, right=540, baseline=700 - LEAD * n) for n in (1, 2)]
    lines += [text_line(full, right=525, baseline=700 - LEAD * 3)]
    lines += [text_line(full, right=540, baseline=700 - LEAD * n) for n in (4, 5)]
    assert len(paragraphs(lines)) == 2


def test_rows_stand_alone() -> None:
    lines = [text_line("\tסכום", is_row=True, baseline=700), text_line("2024\t500", is_row=True, baseline=680)]
    assert paragraphs(lines) == ["\tסכום", "2024\t500"]


def test_a_paragraph_goes_on_over_the_page_break() -> None:
    full = "שורה מלאה של טקסט שממשיכה עד סוף העמודה ועוד כמה מילים נוספות"
    maker = ParagraphMaker()
    maker.page(hebrew_column(*[(full, 60, 0)] * 6), hebrew=True)
    later, goes_on, _ = maker.page(hebrew_column((full, 60, 0), ("סוף.", 510, 0), ("פסקה חדשה.", 480, 0)), hebrew=True)
    assert goes_on
    assert len(later) == 2


def test_a_paragraph_that_ended_does_not_go_on() -> None:
    full = "שורה מלאה של טקסט שממשיכה עד סוף העמודה ועוד כמה מילים נוספות"
    maker = ParagraphMaker()
    maker.page(hebrew_column(*[(full, 60, 0)] * 5, ("סוף.", 510, 0)), hebrew=True)
    assert not maker.page(hebrew_column((full, 60, 0)), hebrew=True)[1]


def test_a_page_that_was_not_read_breaks_the_paragraph() -> None:
    full = "שורה מלאה של טקסט שממשיכה עד סוף העמודה ועוד כמה מילים נוספות"
    maker = ParagraphMaker()
    maker.page(hebrew_column(*[(full, 60, 0)] * 6), hebrew=True)
    maker.forget()
    assert not maker.page(hebrew_column((full, 60, 0)), hebrew=True)[1]


def test_a_year_after_a_dash_and_a_cited_clause_are_joined_without_space() -> None:
    maker = ParagraphMaker()
    assert maker.join('חוק הרישוי, התשס"ו–', "2006, יחול") == 'חוק הרישוי, התשס"ו–2006, יחול'
    assert maker.join("לפי סעיף 17(ב)", "(3) או (4)") == "לפי סעיף 17(ב)(3) או (4)"
    assert maker.join("ימים –", "והכול") == "ימים – והכול"


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


def test_more_hyphens_at_line_ends_than_in_compounds_break_words() -> None:
    hyphenation = Hyphenation()
    hyphenation.learn(
        f"Whoever dredges needs an author{BREAK}\nisation, and a self-propelled dredger posi{BREAK}\ntions it."
    )
    assert hyphenation.join("an author" + BREAK, "isation of") == "an authorisation of"
    assert hyphenation.join("its posi" + BREAK, "tion") == "its position"
    assert hyphenation.join("the non" + BREAK, "navigable part") == "the non-navigable part"
    assert hyphenation.join("לתל" + BREAK, "אביב") == "לתל-אביב"


def test_few_hyphens_at_line_ends_are_those_of_compounds() -> None:
    for learnt in (
        f"The long{BREAK}\nterm lease ends.",
        f"A non-profit self-help co-op is long{BREAK}\nterm and arms{BREAK}\nlength.",
    ):
        hyphenation = Hyphenation()
        hyphenation.learn(learnt)
        assert hyphenation.join("The long" + BREAK, "term lease") == "The long-term lease"


def test_paragraphs_of_one_line_each_that_stand_apart_are_many() -> None:
    texts = (
        "Citation.",
        "1. This Act may be cited as the Ferries Act.",
        "Interpretation.",
        "2. In this Act, a ferry is:",
        "(a) a boat that plies for hire on a river in the State;",
        "(b) a bridge of boats.",
        "Licences.",
    )
    lines = [
        text_line(text, left=60, right=60 + 6.2 * len(text), baseline=700 - 24 * n) for n, text in enumerate(texts)
    ]
    assert paragraphs(lines, hebrew=False) == list(texts)


def test_lines_of_double_space_are_joined() -> None:
    full = "The defendant admits that the ferry left the pier. It denies"
    lines = [text_line(full, left=60, right=440 - n % 3, baseline=700 - 24 * n) for n in range(6)]
    assert len(paragraphs(lines, hebrew=False)) == 1


def test_sections_of_letters_begin_a_paragraph() -> None:
    lines = hebrew_column(
        ("סעיף א'. הצדדים מסכימים לשכירת המעבורת בתנאים שלהלן ובתמורה שנקבעה.", 60, 0),
        ("סעיף ב'. השוכר ישתמש במעבורת לשיט בלבד ולא למטרה אחרת כלשהי בנמל.", 60, 0),
        ("סעיף ג'. דמי השכירות ישולמו בתחילת כל חודש, ויתווסף עליהם מס כדין.", 60, 0),
    )
    assert len(paragraphs(lines)) == 3
