"""Which questions ask when an act or a provision begins, and which texts say so of it."""

import pytest

from law.questions.answer_kinds import AnswerKind, wanted_answer


@pytest.mark.parametrize(
    "question",
    [
        *("When does the Pier Lanterns Act come into force?", "When did section 5 of the Pier Act 1990 take effect?"),
        *(
            "When is this law effective?",
            "What is the commencement date of the Act?",
            "When do these Regulations commence?",
        ),
        *("On which date does the Act commence?", "From when does the Act apply?", "When will section 5 begin?"),
        *("When did Regulation (EU) 2016/679 enter into force?", "When did the GDPR come into force?"),
        *("When did the Protection of Piers Act, 1990 come into operation?", "Since when is the pier act in force?"),
        *("מתי החוק בתוקף?", "ממתי חל חוק פנסי המזח?", "מתי נכנס חוק פנסי המזח לתוקף?", "מתי ייכנסו לתוקף תקנות המזח?"),
        *("מהו מועד התחילה של החוק?", "מה תחילתו של חוק פנסי המזח?", "ממתי חוק פנסי המזח חל?"),
    ],
)
def test_a_question_for_the_beginning_of_law(question: str) -> None:
    assert AnswerKind.COMMENCEMENT in wanted_answer(question).kinds


@pytest.mark.parametrize(
    "question",
    [
        *("When must proceedings be commenced under the Act?", "When may a tenant leave while the lease is in force?"),
        *("When is pay due to workers who commenced work under the Act?", "When is a ship in operation inspected?"),
        *(
            "Until when is the licence in force?",
            "Until when is the Act in force?",
            "When does the Act apply to ships?",
        ),
        *("When does the licence under the Pier Act come into force?", "When does the term of the act begin?"),
        *("When is the boat inspected while the Act is in force?", "When does the Act require a licence in force?"),
        *("What is the commencement date of the lease?", "When does an order take effect?"),
        *("מתי רישיון נכנס לתוקף?", "עד מתי החוק בתוקף?", "מתי נכנס לתוקף חוזה לפי החוק?", "מה תחילתה של התקופה?"),
    ],
)
def test_a_question_for_another_time(question: str) -> None:
    assert AnswerKind.COMMENCEMENT not in wanted_answer(question).kinds


@pytest.mark.parametrize(
    "text",
    [
        *(
            "This Act comes into force on 1 May 2024.",
            "This Act may be cited as the Pier Act and commences on 1 May 2024.",
        ),
        *(
            "These Regulations, except section 5, shall come into operation on 1 May.",
            "This Act enters into effect 1 May.",
        ),
        *(
            "This Regulation shall apply from 25 May 2018.",
            "This Act applies from 1 May.",
            "Effective date: 1 May 2024",
        ),
        *("The Pier Lanterns Act 1990 came into force on 1 May.", "(3) It shall come into force on 1 May."),
        "This by-law will be called the Pier By-law, 2015 and will take effect on the date of publication.",
        "(2) The provisions of this Act shall be deemed to have come into force on 1 May.",
        *("חוק זה נכנס לתוקף ביום 1.5.2020.", "תוקפו של חוק זה מיום 1.5.2020.", "תחילתן של תקנות אלה ביום 1.5.2020."),
        *("חוק זה, למעט סעיף 3, תחילתו ביום 1.5.2020.", "תקנות אלה יחולו מיום 1.5.2020."),
    ],
)
def test_a_text_that_says_when_it_begins(text: str) -> None:
    assert wanted_answer("From when is the Pier Lanterns Act in force?").is_stated(text)


@pytest.mark.parametrize(
    "text",
    [
        *("The Coal Act comes into force on 1 May.", "A licence under this Act takes effect on 1 May."),
        *("An order of the court takes effect within 14 days.", "Proceedings may be commenced within 2 years."),
        *("A boat moored before this Act comes into force has 14 days.", "This section has effect from 1 May."),
        *(
            "This Act applies to boats.",
            "Section 4 comes into force on 1 May.",
            "The lantern comes into operation at 9.",
        ),
        *(
            "תחילתו של צו ההריסה ביום 1.5.2020.",
            "רישיון לפי חוק זה תחילתו ביום 1.5.2020.",
            "חוק זה יחול על סירות.",
            "תוקפו של חוק זה שלוש שנים.",
        ),
        *("תחילתו של חוק הפחם ביום 1.5.2020.", "תחילתו של סעיף 4 ביום 1.5.2020.", "סירה שנקשרה לפני תחילתו של חוק זה"),
    ],
)
def test_a_text_that_says_when_something_else_begins(text: str) -> None:
    assert not wanted_answer("From when is the Pier Lanterns Act in force?").is_stated(text)


@pytest.mark.parametrize(
    "text", ["This section has effect from 1 May.", "Sections 3 and 4 of this Act commence on 1 May."]
)
def test_a_part_begins(text: str) -> None:
    assert wanted_answer("From when is section 4 in force?").is_stated(text)
