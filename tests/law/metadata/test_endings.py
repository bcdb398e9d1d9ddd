"""The documents that a document says it replaces or repeals."""

import pytest

from law.metadata.days import Ending, find_endings
from law.metadata.head import DocumentHead, HeadPage
from law.metadata.sentences import sentences_of


def endings(text: str) -> list[Ending]:
    return find_endings(sentences_of(DocumentHead(pages=(HeadPage(4, text),))))


@pytest.mark.parametrize(
    ("clause", "named", "replaced"),
    [
        ("This circular replaces Circular No. 5/2029 on pier fees.", "Circular No. 5/2029", True),
        ("This Guidance supersedes and replaces the Guidance on Pier Fees 2029.", "Guidance on Pier Fees 2029", True),
        ("Pier Circular No. 7/2029 is hereby superseded by this Circular.", "Pier Circular No. 7/2029", True),
        ("3. The Pier Fees Regulations 2029 are revoked.", "Pier Fees Regulations 2029", False),
        ("This Act repeals the Pier Act 2029.", "Pier Act 2029", False),
        ("The Publication of Fees Act 2029 is repealed.", "Publication of Fees Act 2029", False),
        ("The Piers (Publication) Act 2029 is repealed.", "Piers (Publication) Act 2029", False),
        ("חוזר זה מחליף את חוזר מס' 5/2029 בעניין אגרות.", "חוזר מס' 5/2029 בעניין אגרות", True),
        ("נוהל זה מבטל ומחליף את נוהל 4/2029.", "נוהל 4/2029", True),
        ('חוזר זה בא במקום חוזר מנכ"ל 3/2029.', 'חוזר מנכ"ל 3/2029', True),
        ('חוק המזחים, התש"ץ–2029 – בטל.', 'חוק המזחים, התש"ץ–2029', False),
        ('(ב) תקנות המזחים (אגרות), התש"ץ–2029 (להלן – התקנות הקודמות) – בטלות.',
         'תקנות המזחים (אגרות), התש"ץ–2029', False),
        ("פקודת המזחים – בטלה.", "פקודת המזחים", False),
    ],
)  # fmt: skip
def test_another_document_is_ended(clause: str, named: str, replaced: bool) -> None:
    [found] = endings(f"1. מבוא\n{clause}")
    assert (found.named, found.replaced, found.page) == (named, replaced, 4)
    assert named in found.quote


@pytest.mark.parametrize(
    "unclosed", ["(b) at the end of paragraph (x) insert “; or", 'לעניין זה, ”מזח ו"סירה“ – כהגדרתם בחוק.']
)
def test_a_mark_that_never_closes_hides_no_later_clause(unclosed: str) -> None:
    [found] = endings(f"{unclosed}\n3. The Pier Fees Regulations 2029 are revoked.")
    assert found.named == "Pier Fees Regulations 2029"


def test_the_clause_may_say_the_day() -> None:
    for clause in ("Circular 12/2029 is withdrawn with effect from 1 May 2031.", "חוזר 12/2029 בטל החל מיום 1.5.2031."):
        [found] = endings(clause)
        assert str(found.day) == "2031-05-01"


def test_several_may_be_listed() -> None:
    text = (
        'ביטול\nבטלות –\n(1) תקנות המזחים, התש"ץ–2029;\n(2) פרק ב׳ לתקנות הנמלים, התש"ץ–2029;\n(3) תקנות הסירות, 1931.'
    )
    assert [one.named for one in endings(f"{text}\n5. הוראת מעבר\nמי ששילם, שילם.")] == [
        'תקנות המזחים, התש"ץ–2029', "תקנות הסירות, 1931",
    ]  # fmt: skip
    english = "The following are hereby revoked:\n(a) the Pier Rules 2029;\n(b) the Ferry Rules 2029."
    assert [one.named for one in endings(english)] == ["Pier Rules 2029", "Ferry Rules 2029"]


@pytest.mark.parametrize(
    "clause",
    [
        "Section 5 of the Pier Act 2029 is repealed.",
        'סעיף 5 לחוק המזחים, התש"ץ–2029 – בטל.',
        "תקנה 4 – בטלה.",
        "(בוטל).",
        "חוזה שנעשה על המזח בלילה – בטל.",
        "The licence is revoked if the fee is not paid.",
        "If the order relates to a pier, the Order is revoked.",
        "After section 4 insert “The Pier Act 2029 is repealed.”",
        "The Minister may revoke the Pier Order 2029.",
    ],
)
def test_a_part_or_another_thing_is_none(clause: str) -> None:
    assert endings(clause) == []
