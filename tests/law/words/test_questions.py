"""What questions want, in both languages."""

import pytest

from law.words.questions import asked_term, asks_for_number, has_number, is_question


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("מה זה משכון?", "משכון"),
        ("מי נחשב קטין במשפט האזרחי?", "קטין במשפט האזרחי"),
        ("What is a feeder fund?", "feeder fund"),
        ("what counts as a Virtual Asset", "Virtual Asset"),
        ("What does MTF mean?", "MTF"),
        ("What capital must an RIE hold?", ""),
        ("מתי נולד השכן?", ""),
        ("", ""),
    ],
)
def test_what_is_to_be_explained(question: str, term: str) -> None:
    assert asked_term(question) == term


@pytest.mark.parametrize(
    ("query", "asks", "number"),
    [
        ("כמה ימים יש לי לערער?", True, True),
        ("עד מתי אפשר להתלונן", True, True),
        ("מה גובה הקנס", True, True),
        ("How soon must we name another?", True, True),
        ("Which penalty is due?", True, True),
        ("We closed a fund. When must its last report be filed?", True, True),
        ("What is the minimum ticket?", True, True),
        ("What daily volume cap applies?", True, True),
        ("When closing an account, which value is reported?", True, False),
        ("When would an auditor be asked?", True, False),
        ("Who monitors the minimum standards of sourcing?", True, False),
        ("What follows when a return misses the deadlines?", True, False),
        ("What must be reported, and how often should that be read?", True, False),
        ("מי רשאי לערער?", True, False),
        ("Can a minor sign", True, False),
        ("זכות ערעור", False, False),
        ("Complaints and appeals", False, False),
    ],
)
def test_whether_it_asks_and_for_a_number(query: str, asks: bool, number: bool) -> None:
    assert (is_question(query), asks_for_number(query)) == (asks, number)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("בתוך שלושים ימים", True),
        ("קנס של 250 שקלים", True),
        ("at least fourteen days", True),
        ("an amount of US$150,000", True),
        ("הם מהווים כ-96 ממסת הגוף", True),
        ("הוקמה ב-1998 על פי סעיפים 5 ו-6", False),
        ("(2) המנהל רשאי לסרב", False),
        ("7. על פי סעיף 12(א) לחוק הבנקים, התשכ״ח–1968", False),
        ("3.2.1 A person under Rule 3.3.4 may refuse", False),
    ],
)
def test_a_number_is_not_that_of_a_section_or_a_year(text: str, has: bool) -> None:
    assert has_number(text) is has
