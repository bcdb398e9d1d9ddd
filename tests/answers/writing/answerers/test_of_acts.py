"""What the offline answerer quotes of a whole act, or of a section elsewhere, and what it does not quote instead."""

from dataclasses import replace

import pytest

from answers.writing.answerers.extractive import quotes
from law.words.analysis import terms
from search.results import Match, SearchHit
from tests.answers.asking.passages import asked, passage
from tests.answers.writing.answerers.test_extractive import FILLER, quoted

LANTERNS = "A boat at the pier has a lantern, if it has been moored overnight."


def of_act(text: str, title: str, *, section: str, match: Match = Match.LEXICAL) -> SearchHit:
    held = passage(text, match=match)
    return replace(held, section=section, source=replace(held.source, title=title))


def test_a_penalty_answers_by_what_its_headings_are_about() -> None:
    penalty = "A person who contravenes subsection (1) is liable to a fine of forty crowns."
    held = replace(passage(f"(1) No boat has two lanterns.\n(2) {penalty}"), heading="Boats with two lanterns")
    assert penalty in quoted(asked("What is the penalty for a boat with two lanterns?", [held]))[0]


def test_a_penalty_that_stands_in_another_section_is_quoted_with_its_rule() -> None:
    rule = replace(passage("No ship sails without an oil record book on board."), section="2")
    penalty = replace(passage("Whoever contravenes section 2 is liable to a fine of forty crowns."), section="11")
    other = replace(passage("Whoever contravenes section 3 is liable to a fine of ninety crowns."), section="12")
    abroad = replace(
        passage("Whoever contravenes section 2 of the Coal Act is liable to a fine of ten crowns."), section="13"
    )
    question = "What is the penalty for a ship without an oil record book?"
    assert quoted(asked(question, [rule, other, abroad, penalty])) == [rule.text, penalty.text]
    assert quotes(asked(question, [rule, other, abroad])) == []
    own = replace(penalty, text="Whoever contravenes section 2 of this Act is liable to a fine of forty crowns.")
    assert quoted(asked(question, [rule, own])) == [rule.text, own.text]
    elsewhere = replace(penalty, source=replace(penalty.source, id=6))
    assert quotes(asked(question, [rule, elsewhere])) == []


def test_the_penalty_and_the_beginning_of_an_act_are_found_by_its_title() -> None:
    rule = of_act(LANTERNS, "Pier Lanterns Act", section="2")
    penalty = of_act("Whoever contravenes this Act pays a fine of forty crowns.", "Pier Lanterns Act", section="8")
    begins = of_act("This Act comes into force on 1 May 2024.", "Pier Lanterns Act", section="9")
    passages = [*[rule] * 10, penalty, begins]
    assert quoted(asked("What is the fine for breach of the Pier Lanterns Act?", passages)) == [penalty.text]
    assert quoted(asked("When does the Pier Lanterns Act come into force?", passages)) == [begins.text]
    named = of_act("This Act may be cited as the Pier Act and commences on 1 May 2024.", "Pier Act", section="1")
    assert quoted(asked("When does the Pier Act come into force?", [named])) == [named.text]
    assert quotes(asked("What may the Pier Act be cited as?", [named])) == []
    hebrew = of_act('תחילתו של חוק זה ביום כ"ה בכסלו התשמ"ד.', "חוק פנסי המזח", section="9")
    assert quoted(asked("ממתי חל חוק פנסי המזח?", [hebrew])) == [hebrew.text]


@pytest.mark.parametrize(
    ("question", "rule", "penalty"),
    [
        (
            "What is the penalty for operating a ferry without a licence?",
            "No person shall operate a ferry without a licence.",
            "A person who obstructs an inspector under this Act commits an offence against this Act and is liable to "
            "imprisonment for two years.",
        ),
        (
            "Is there a fine for operating a ferry without a licence?",
            "No person shall operate a ferry without a licence.",
            "An official who discloses information obtained under this Act is liable to imprisonment for five years.",
        ),
        (
            "מה העונש על הפעלת מעבורת בלא רישיון?",
            "לא יפעיל אדם מעבורת בלא רישיון.",
            "המפריע למפקח במילוי תפקידו לפי חוק זה, דינו – מאסר שנתיים.",
        ),
    ],
)
def test_the_penalty_for_another_offence_is_no_answer(question: str, rule: str, penalty: str) -> None:
    passages = [of_act(rule, "Ferry Act", section="1"), of_act(penalty, "Ferry Act", section="2")]
    assert quotes(asked(question, passages)) == []


def test_when_a_section_begins_is_said_where_that_is_said_of_it() -> None:
    cited = of_act(LANTERNS, "Pier Act", section="2", match=Match.CITATION)
    begins = of_act("(1) Section 3 commences today.\n(2) Section 2 comes into force on 1 May.", "Pier Act", section="9")
    question = "When does section 2 of the Pier Act come into force?"
    assert quoted(asked(question, [cited, begins])) == ["(2) Section 2 comes into force on 1 May."]
    assert quoted(asked(question, [cited])) == [LANTERNS]
    assert quoted(asked("When does a boat have a lantern under section 2 of the Pier Act?", [cited])) == [LANTERNS]


@pytest.mark.parametrize(
    ("text", "is_quoted"),
    [
        ("This Act comes into force on 1 May.", True),
        ("Part 3 of this Act comes into force on 1 May.", False),
        ("Section 3 comes into force on 1 May.", False),
        ("A licence under this Act takes effect on 1 May.", False),
    ],
)
def test_a_section_begins_with_its_act(text: str, is_quoted: bool) -> None:
    cited = of_act(LANTERNS, "Pier Act", section="2", match=Match.CITATION)
    found = quoted(asked("When does section 2 of the Pier Act begin?", [cited, of_act(text, "Pier Act", section="9")]))
    assert found == [text if is_quoted else LANTERNS]


@pytest.mark.parametrize(
    ("text", "is_quoted"),
    [
        ("Whoever contravenes this Act pays a fine of forty crowns.", True),
        ("Whoever contravenes section 3 of this Act pays a fine of forty crowns.", False),
        ("Section 2 does not apply to whoever is liable to a fine under the Coal Act.", False),
        ("העובר על הוראות חוק זה, דינו קנס.", True),
        ("סעיף 2 לא יחול על מי שצפוי לקנס.", False),
    ],
)
def test_the_penalty_for_a_section_may_be_that_for_its_act(text: str, is_quoted: bool) -> None:
    cited = of_act(LANTERNS, "Pier Act", section="2", match=Match.CITATION)
    found = quoted(asked("What is the penalty under section 2?", [cited, of_act(text, "Pier Act", section="9")]))
    assert found == [text if is_quoted else LANTERNS]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The Coal Act comes into force on 3 June 2019.", "Pier Lanterns Act"),
        ("A licence comes into force on 1 May of each year.", "Pier Lanterns Act"),
        ("An order of the court takes effect within 14 days.", "Pier Lanterns Act"),
        ("Proceedings for an offence may be commenced within 2 years.", "Pier Lanterns Act"),
        ("Section 4 comes into force on 1 May.", "Pier Lanterns Act"),
        ("תחילתו של צו ההריסה ביום 1.5.2020.", "חוק פנסי המזח"),
        ("רישיון לפי חוק זה תחילתו ביום 1.5.2020.", "חוק פנסי המזח"),
    ],
)
def test_what_else_begins_is_no_answer(text: str, title: str) -> None:
    question = "ממתי חל חוק פנסי המזח?" if "חוק" in title else "When does the Pier Lanterns Act come into force?"
    assert quotes(asked(question, [of_act(text, title, section="6")])) == []


def test_the_unit_of_time_that_is_asked_for_is_preferred() -> None:
    months = "A request to the master is made when ten months are over."
    days = "The reply to a request to the master is given within thirty days."
    both = passage(f"(1) {days} {FILLER * 4}\n(2) {months}")
    assert quoted(asked("How many months, request to the master?", [both])) == [f"(2) {months}"]
    assert quoted(asked("How many days, request to the master?", [both])) == [f"(1) {days}"]
    assert quoted(asked("How many months, request to the master?", [passage(days)])) == [days]


def test_at_once_is_as_good_as_a_length_of_time() -> None:
    reported = passage("An accident shall be reported immediately.")
    kept = passage("A written report of an accident shall be kept for three years.")
    for question in ("How soon must an accident be reported?", "How long do I have to report an accident?"):
        assert reported.text in quoted(asked(question, [reported, kept]))


def test_what_only_names_an_act_is_answered_by_no_section_of_it() -> None:
    held = passage("A boat that is moored overnight at the pier has a lantern.")
    rule = replace(held, source=replace(held.source, title="Harbour Lanterns Act"))
    assert quotes(asked("What is the Harbour Lanterns Act?", [rule])) == []
    assert quoted(asked("What does the Harbour Lanterns Act say of a boat?", [rule])) == [held.text]


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("Who may moor a boat?", "Any resident may moor a boat.", "Boats and Moorings Act 2001"),
        ("Who may moor boats?", "Any resident may moor boats.", "Mooring Boats Act"),
        ("What are berth rights?", "Berth rights are the rights of a keeper to a berth.", "Berth Rights"),
        ("What rights does a keeper have?", "A keeper has the right to rest at night.", "Keeper Rights Act 2001"),
        ("How are keepers protected?", "Keepers are protected from noise by the master.", "Keeper Protection Act"),
        ("When is Harbour Day Act?", "Harbour Day is on 1 May, by this Act.", "Harbour Day Act"),
        ("מהן זכויות הדייר?", "לדייר זכות להמשיך ולגור בדירה כל חייו.", "חוק זכויות הדייר, התש״ן–1990"),
    ],
)
def test_what_has_words_of_a_title_is_answered(question: str, text: str, title: str) -> None:
    held = passage(text)
    assert quoted(asked(question, [replace(held, source=replace(held.source, title=title))])) == [text]


@pytest.mark.parametrize("question", ["מהו חוק זכויות הדייר?", "מה זה חוק זכויות הדייר, התש״ן–1990?"])
def test_what_only_names_an_act_in_hebrew_is_answered_by_no_section_of_it(question: str) -> None:
    held = passage("לדייר זכות להמשיך ולגור בדירה כל חייו.")
    rule = replace(held, source=replace(held.source, title="חוק זכויות הדייר, התש״ן–1990"))
    assert quotes(asked(question, [rule])) == []


def test_days_of_one_thing_are_none_of_another() -> None:
    question = "How many days of annual leave has a keeper of the pier?"
    report = passage("The annual report of a keeper of the pier is due within ten days.")
    assert quotes(asked(question, [report])) == []
    leave = passage("The annual leave of a keeper of the pier is ten days.")
    assert quoted(asked(question, [report, leave])) == [leave.text]


def test_a_term_that_is_defined_by_the_way_answers_no_question_for_a_number() -> None:
    cap = passage("The highest fee for a berth is forty crowns.")
    aside = passage("In this Part:\n“highest fee” means the fee for a berth that the keeper publishes;")
    question = replace(asked("What is the highest fee for a berth?", [cap, aside]), asked=(terms("highest fee"),))
    assert quoted(question)[0] == cap.text
    age = "What is the minimum age of a young driver?"
    assert quotes(asked(age, [passage("“young driver” means a driver who has not reached 21 years of age;")])) == []
