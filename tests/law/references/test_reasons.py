"""Why a citation is taken to be of an act."""

import pytest

from law.references.mentions import read_references
from law.references.reasons import WHY, Reason, reasons_of, weaker
from tests.law.references.mentioned import ACT, sections


def reasons(text: str, *, title: str = "Piers Act 2031", kind: str = "law") -> list[Reason | None]:
    text, placed = sections(*text.split(" | "))
    return [one.reason for one in read_references(text, placed, title=title, kind=kind)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under section 5 of the Loans Act 1998", ["named"]),
        (f"לפי סעיף 5 ל{ACT}", ["named"]),
        ("under section 5 of the Loans Act", ["named_in_short"]),
        ("under section 5 of the Piers Act 2031", ["named"]),  # its own title
        ("the Loans Act 1998 (“the principal Act”) and section 5 of the principal Act", ["named", "defined_here"]),
        (f"{ACT} (להלן – חוק הגנים), וסעיף 5 לחוק הגנים", ["named", "defined_here"]),
        ("section 5 of this Act and section 6", ["said_own", "own"]),
        ("section 5 of the Act", ["own"]),
        ("section 5 of the Loans Act 1998, and section 6 of that Act", ["named", "said_last"]),
        ("section 5 of the Loans Act 1998, and section 6 thereof", ["named", "said_last"]),
        (f"בסעיף 5 ל{ACT}. באותו סעיף", ["named", "said_last"]),
        ("In the Loans Act 1998, after section 4 insert: | as subsection (2) says", ["named", "said_last", "own"]),
        ("under regulation 5 of WXI 2031/351", [None]),
        ("under section 6 of that Act", [None]),
    ],
)
def test_of_a_statute(text: str, expected: list[str | None]) -> None:
    assert reasons(text) == expected


def test_of_other_documents() -> None:
    of_regulations = reasons("as section 5 says, and regulation 1", title="Piers (Fees) Regulations 2031")
    assert of_regulations[-1] == Reason.OWN
    assert reasons("לפי סעיף 5 לחוק", title="תקנות הגנים (אגרות), התשמ״ה–1985") == [Reason.PARENT]
    judgment = 'The Loans Act 1998 is old. Its words are plain. So section 5 bars it. ע"א 1234/05 is not.'
    assert reasons(judgment, title="A v. B", kind="caselaw") == [Reason.NAMED, Reason.LAST_NAMED, Reason.NAMED]


def test_of_acts_that_begin_alike_none_is_the_one_that_is_meant() -> None:
    first, second, third = "סעיף 5 לחוק הגנים חל. ", "סעיף 6 לחוק הגנים הציבוריים חל. ", "לפי סעיף 7 לחוק."
    assert reasons(first + second + third, title="", kind="circular")[-1] is None
    assert reasons(first + third, title="", kind="circular")[-1] == Reason.LAST_NAMED
    assert reasons(f"{first}סעיף 6 ל{ACT}, חל. {third}", title="", kind="circular")[-1] == Reason.LAST_NAMED


def test_a_guess_passed_on_stays_a_guess() -> None:
    text = "לפי סעיף 5 לחוק. באותו סעיף נקבע"
    assert reasons(text, title="תקנות הגנים (אגרות), התשמ״ה–1985") == [Reason.PARENT, Reason.PARENT]
    assert weaker(Reason.LAST_NAMED, Reason.SAID_LAST) == Reason.LAST_NAMED
    assert weaker(None, Reason.OWN) == Reason.OWN


def test_what_answers_tell() -> None:
    assert {one.why for one in Reason} == set(WHY)
    assert all(0 < one.certainty <= 1 for one in Reason)
    assert reasons_of(0) == list(Reason)
    assert reasons_of(1) == [Reason.NAMED, Reason.SAID_OWN]
    assert Reason.PARENT not in reasons_of(0.65)
