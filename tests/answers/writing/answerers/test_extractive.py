"""What the offline answerer quotes: which passages, which sentences of them, in which order."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from answers.writing.answerers.extractive import ExtractiveAnswerer, quotes
from answers.writing.protocol import AnswerRequest, Claim, Piece, Text
from answers.writing.quotes.best_sentences import MAX_LENGTH, WHOLE, SentenceCriteria, best_sentences
from answers.writing.quotes.verify import verified_quote
from law.words.analysis import terms
from search.results import Match
from tests.answers.asking.passages import asked, passage

FILLER = "The lamps along the promenade are painted green every second spring by the town. "
FINE = "Whoever moors a boat overnight pays a fine of forty crowns. "
HEBREW_FILLER = "הפנסים שלאורך הטיילת נצבעים בירוק בכל אביב שני על ידי עובדי העירייה. "
HEBREW_FINE = "המעגן סירה במשך הלילה ישלם קנס של ארבעים כתרים. "


def quoted(question: AnswerRequest) -> list[str]:
    return [question.passages[one.passage].text[one.start : one.end] for one in quotes(question)]


def pieces_of(question: AnswerRequest) -> list[Piece]:
    async def read() -> list[Piece]:
        return [piece async for piece in ExtractiveAnswerer().answer(question)]

    return asyncio.run(read())


def run(text: str, question: str) -> str:
    read = passage(text)
    found = best_sentences(read, SentenceCriteria.of(asked(question, [read])))
    assert found
    return text[slice(*found.quote)]


def test_the_sentence_that_answers_is_quoted_and_not_those_around_it() -> None:
    assert run(FILLER * 3 + FINE + FILLER * 3, "What fine is paid for mooring a boat overnight?") == FINE.strip()
    text = HEBREW_FILLER * 3 + HEBREW_FINE + HEBREW_FILLER * 3
    assert run(text, "מה הקנס על עגינת סירה בלילה?") == HEBREW_FINE.strip()


def test_neighbouring_sentences_are_joined_if_both_answer() -> None:
    text = FILLER * 3 + FINE + "The harbour master may waive it in a storm. " + FILLER * 3
    answer = run(text, "May the harbour master waive the fine for mooring overnight?")
    assert answer == f"{FINE}The harbour master may waive it in a storm."


def test_a_short_passage_is_quoted_whole() -> None:
    text = f" {FINE}\nIt is due at noon. "
    assert len(text) < WHOLE
    assert run(text, "When is the fine due?") == text.strip()


def test_sentences_that_are_long_together_are_not_joined() -> None:
    long = "The harbour master, " + "who keeps the register of the boats and of the berths, " * 7 + "rests. "
    text = FILLER * 3 + long + "A storm closes the pier, and the ferry waits behind it. " + FILLER * 3
    answer = run(text, "Does the harbour master close the pier to the ferry in a storm?")
    assert len(answer) <= MAX_LENGTH


def test_of_two_sentences_the_one_with_a_number_answers_a_question_for_one() -> None:
    vague = "The fine for mooring a boat overnight is paid to the harbour master at noon. "
    assert run(FILLER * 3 + vague + FILLER * 3 + FINE, "How much is the fine for mooring overnight?") == FINE.strip()
    assert run(FILLER * 3 + vague + FILLER * 3 + FINE, "Who is paid the fine for mooring overnight?") == vague.strip()


def test_the_sentence_that_defines_is_quoted() -> None:
    text = f"{FILLER * 2}The berth of a berth is a berth. Berth\tMeans the place of a boat. {FILLER * 2}"
    question = replace(asked("What is a berth?", [passage(text)]), asked=(terms("berth"),))
    assert quoted(question)[0].startswith("Berth\tMeans the place")


def test_passage_that_is_worth_much_less_than_best_is_not_quoted() -> None:
    question = "Who pays a fine for mooring a boat overnight?"
    assert [one.passage for one in quotes(asked(question, [passage(FINE), passage(FINE)]))] == [0, 1]
    assert [one.passage for one in quotes(asked(question, [passage(FINE), replace(passage(FINE), score=0.1)]))] == [0]


def test_passages_keep_their_order_and_at_most_three_are_quoted() -> None:
    passages = [passage(f"Pier {number} pays a fine.", chunk_id=number) for number in range(8)]
    assert [one.passage for one in quotes(asked("Which pier pays a fine?", passages))] == [0, 1, 2]


def test_what_speaks_the_language_of_the_question_comes_first(settings: Any) -> None:
    settings.KB_LEAST_SIMILARITY = 0.6
    passages = [passage(FINE, similarity=0.7), passage(HEBREW_FINE, similarity=0.7)]
    question = replace(asked("What?", passages), question="מה?")
    assert quoted(question) == [HEBREW_FINE.strip(), FINE.strip()]
    assert quoted(replace(question, question="What?")) == [FINE.strip(), HEBREW_FINE.strip()]


def test_what_the_question_cites_is_quoted_alone_in_whatever_language() -> None:
    passages = [passage(FINE, match=Match.CITATION, coverage=0.1), passage(HEBREW_FINE)]
    assert quoted(asked("מה אומר Rule 5?", passages)) == [FINE.strip()]


def test_evidence_is_looked_for_in_the_first_ten_passages() -> None:
    question = "Who pays a fine for a boat?"
    fillers = [passage(FILLER)] * 9
    assert [one.passage for one in quotes(asked(question, [*fillers, passage(FINE)]))] == [9]
    assert quotes(asked(question, [*fillers, passage(FILLER), passage(FINE)])) == []


def test_each_quote_is_evidence_by_itself() -> None:
    passages = [passage(FILLER, coverage=0.9), passage(FINE, coverage=0.4), passage("A boat is a boat.", coverage=0.9)]
    assert [one.passage for one in quotes(asked("Who pays a fine for a boat?", passages))] == [1]


def test_of_what_is_defined_only_the_definitions_are_quoted() -> None:
    mention, definition = "Each berth has a lamp, and a berth has a ring.", "Berth\tMeans the place of one boat."
    question = asked("What is a berth with a ring?", [passage(mention), passage(definition, coverage=0.3)])
    assert quoted(question)[0] == mention
    assert quoted(replace(question, asked=(terms("berth"),))) == [definition]


def test_what_only_mentions_a_term_does_not_say_what_it_is() -> None:
    mention = "Each mooring berth has a lamp, and a mooring berth has a ring."
    question = asked("What is a mooring berth?", [passage(mention)])
    assert quoted(question) == [mention]
    assert quotes(replace(question, asked=(terms("mooring berth"),))) == []


def test_one_word_is_found_in_many_places() -> None:
    assert quotes(asked("Who moors?", [passage(FINE), passage(FILLER)])) == []


def test_what_leads_in_to_the_next_passage_says_nothing() -> None:
    question, lead = "What must the mooring policy have?", "The mooring policy must have the following:"
    assert quotes(asked(question, [passage(lead)])) == []
    whole = f"{lead}\n(a) the fine for mooring;\n(b) the lamps."
    assert quoted(asked(question, [passage(whole)])) == [whole]


def test_where_a_number_is_asked_for_only_numbers_are_quoted() -> None:
    without, question = "The fine for mooring is set by the town.", "How high is the fine for mooring?"
    assert quoted(asked(question, [passage(without), passage(FINE)])) == [FINE.strip()]
    assert quotes(asked(question, [passage(without)])) == []
    # A sentence that may answer has found it by more than the question's words.
    whole = "The fine for mooring high is set by the town."
    assert quotes(asked(question, [passage(whole)])) == []
    assert quoted(replace(asked(question, [passage(whole)]), by_sentence=True)) == [whole]


def test_a_mere_mention_of_a_limit_is_answered_without_a_number() -> None:
    rule = passage("Whoever moors a boat tells the harbour master, who keeps the minimum standards of mooring.")
    for question in ("When mooring a boat, whom does one tell?", "Who keeps the minimum standards of mooring?"):
        assert quoted(asked(question, [rule])) == [rule.text]


def test_passages_that_are_evidence_by_meaning_are_quoted(settings: Any) -> None:
    settings.KB_LEAST_SIMILARITY = 0.6
    near = passage(FILLER * 5, match=Match.SEMANTIC, coverage=0.0, similarity=0.7)
    far = passage(FINE, match=Match.SEMANTIC, coverage=0.0, similarity=0.5)
    assert quoted(asked("Which colour has the lighting?", [far, near])) == [FILLER.strip()]


def test_what_is_no_evidence_is_not_quoted() -> None:
    assert quotes(asked("What is the orbit of Jupiter?", [passage(FINE, coverage=0.1)])) == []


def test_without_passages_nothing_is_said() -> None:
    assert quotes(asked("What is the fine?", [])) == []


def test_every_quote_is_claimed_as_it_stands() -> None:
    text = "Fees:\n\n" + FILLER * 2 + "The fine\n is forty  crowns, \tas the table says. " + FILLER * 2
    question = asked("How many crowns is the fine?", [passage(text), passage("It is a fine of forty crowns.")])

    pieces = pieces_of(question)
    claims = [piece for piece in pieces if isinstance(piece, Claim)]
    assert len(claims) == 2
    for claim in claims:
        assert verified_quote(claim, question.passages) == (question.passages[claim.passage], claim.quote)
        assert Text(claim.quote) in pieces


RULE = "No boat is moored at the pier overnight without a lantern. "


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Was the boat moored at the pier overnight without a lantern? ", RULE),
        ("The question is whether a boat is moored at the pier overnight without a lantern. ", RULE),
        ("These Rules may be cited as the Boats (Moored at the Pier Overnight without a Lantern) Rules 1990. ", RULE),
        (
            "In exercise of the powers conferred by the Boats Moored at the Pier Overnight Act the town makes rules. ",
            RULE,
        ),
        ("Be it enacted that boats moored at the pier overnight without a lantern obey the following: ", RULE),
        ("[Repealed, 1990, c. 5, s. 3: boats moored at the pier overnight without a lantern] ", RULE),
        ("(Boats moored at the pier overnight without a lantern: 1990, c. 5, 82 Stat. 12.) ", RULE),
    ],
)
def test_what_answers_nothing_is_not_quoted(before: str, said: str) -> None:
    question = "Is a boat moored at the pier overnight without a lantern?"
    assert run(FILLER * 3 + before + "\n" + FILLER * 3 + said + FILLER * 3, question) == said.strip()
    assert quotes(asked(question, [passage(before.strip())])) == []


@pytest.mark.parametrize(
    "before",
    [
        "השאלה היא אם סירה עוגנת במזח בלילה בלי פנס. ",
        "לתקנות אלה ייקרא ”תקנות הסירות (סירה עוגנת במזח בלילה בלי פנס), התש״ן–1990“. ",
        "בתוקף סמכותי לפי חוק סירה עוגנת במזח בלילה בלי פנס אני מתקין תקנות אלה. ",
    ],
)
def test_what_answers_nothing_in_hebrew_is_not_quoted(before: str) -> None:
    rule, filler = "לא תהיה סירה עוגנת במזח בלילה בלי פנס. ", HEBREW_FILLER * 3
    question = "האם סירה עוגנת במזח בלילה בלי פנס?"
    assert run(f"{filler}{before}\n{filler}{rule}{filler}", question) == rule.strip()
    assert quotes(asked(question, [passage(before.strip())])) == []


def test_of_two_deadlines_the_one_that_was_asked_for_is_quoted() -> None:
    decided = "The harbour master decides on an application for a berth within fifteen days. "
    challenged = "Whoever is refused may challenge it before the board within thirty days. "
    text = FILLER * 2 + decided + challenged + FILLER * 2
    assert run(text, "Within how many days does the harbour master decide on an application?") == decided.strip()
    assert run(text, "Within how many days may a refusal be challenged before the board?") == challenged.strip()


@pytest.mark.parametrize(
    ("question", "mention", "rule"),
    [
        (
            "When must a lantern be returned?",
            "A keeper must keep the log for seven years after the lantern was returned.",
            "A lantern must be returned within nine days.",
        ),
        (
            "When must a lantern be returned?",
            "Within 20 days a keeper must report the lanterns held and returned.",
            "A lantern must be returned within nine days.",
        ),
        (
            "מתי יוחזר הפנס?",
            "שומר המזח ינהל את היומן שבע שנים לאחר שהפנס הוחזר.",
            "הפנס יוחזר בתוך תשעה ימים.",
        ),
    ],
)
def test_the_time_of_another_act_is_no_answer(question: str, mention: str, rule: str) -> None:
    assert quoted(asked(question, [passage(mention)])) == []
    assert quoted(asked(question, [passage(rule)])) == [rule]


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        (
            "What is the speed limit in a built-up area?",
            "In a built-up area the maximum speed of a vehicle is 50 kilometres an hour.",
        ),
        (
            "What is the tax rate on letting parking spaces?",
            "A company that lets parking spaces pays a tax of 12 per cent of its receipts.",
        ),
        ("What is the ticket price for a bus in a town?", "A ticket for a bus in a town costs 3 euros."),
        (
            "מהו שיעור המס שתשלם חברה המשכירה מקומות חניה?",
            "חברה המשכירה מקומות חניה תשלם מס של 12 אחוזים מתקבוליה.",
        ),
        ("מה שיעור המס על השכרת מקומות חניה?", "חברה המשכירה מקומות חניה תשלם מס של 12 אחוזים מתקבוליה."),
        ("מהי מהירות הנסיעה באזור בנוי?", "לא ינהג אדם באזור בנוי במהירות העולה על 50 קילומטרים בשעה."),
    ],
)
def test_a_measure_is_met_in_other_words(question: str, rule: str) -> None:
    others = [replace(passage("The pier closes at nine."), score=0.1)] * 4
    assert quoted(asked(question, [passage(rule), *others])) == [rule]


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("What is the price of a pier pass?", "A visitor pays six crowns to the keeper of the pier for a pass."),
        (
            "What is the deposit for a lantern?",
            "Who borrows a lantern gives the keeper a security of two weekly rents.",
        ),
        ("What is the jurisdiction of the pier court?", "The pier court hears and decides every dispute on lanterns."),
        (
            "What is the liability of a ferryman for baskets?",
            "A ferryman is responsible for baskets that fall overboard.",
        ),
        ("What is the composition of the pier council?", "The pier council consists of a speaker and eight ferrymen."),
        ("What is the surcharge on late pier dues?", "Who pays pier dues late adds three per cent for each month."),
        (
            "From what day does the time for a complaint run?",
            "A complaint is made in ten days after the notice was read.",
        ),
        ("What is the retirement age of a ferryman?", "A ferryman holds office until he has attained seventy years."),
        ("What must a tenant do before a lease of the pier?", "Before a lease of the pier the lessee shall paint it."),
        ("What does the council recommend about lanterns?", "The council shall recommend that lanterns be of iron."),
        ("Should I report my ferry to the keeper?", "The owner of a ferry shall report it to the keeper in May."),
        ("Do you think a ferryman pays for lost baskets?", "A ferryman pays for baskets that are lost."),
        ("מה המחיר של כרטיס למזח?", "מבקר ישלם לשומר שישה שקלים בעד כרטיס למזח."),
        ("מה העלות של כרטיס למזח?", "מבקר ישלם לשומר שישה שקלים בעד כרטיס למזח."),
        ("מה השכר של שומר המזח?", "שומר המזח יקבל מן האוצר שבעים אלף שקלים לשנה."),
        ("מה הפיקדון להשאלת פנס?", "להשאלת פנס ימסור השואל לשומר ערובה של שני אחוזים."),
        ("האם כדאי לרשום מעבורת אצל השומר?", "בעל מעבורת ירשום אותה אצל השומר בחודש מאי."),
        ("מה ממליצה המועצה לגבי פנסים?", "המועצה תמליץ שפנסים ייעשו מברזל."),
    ],
)
def test_an_answer_in_other_words_than_the_question(question: str, rule: str) -> None:
    others = [replace(passage("The gate is closed at nine."), score=0.1)] * 4
    assert quoted(asked(question, [passage(rule), *others])) == [rule]


def test_a_passage_is_not_passed_over_for_one_that_has_the_word_that_is_asked_for() -> None:
    rule = "When a ferryman is hurt on the pier, the keeper shall fetch a doctor and close the pier."
    other = replace(passage("A ferryman whose work on the pier ends is paid by the employer."), score=0.6)
    question = "What must an employer do when a ferryman is hurt on the pier?"
    assert quoted(asked(question, [passage(rule), other]))[0] == rule


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("What is the fee for a pier pass?", "The fee for a pier pass is due under sections 3, 4 and 5."),
        ("On what day of the week does the pier council sit?", "The pier council sits in the hall by the gate."),
        ("באיזה יום בשבוע מתכנסת מועצת המזח?", "מועצת המזח מתכנסת באולם שליד השער."),
    ],
)
def test_a_near_rule_without_what_is_asked_for_is_no_answer(question: str, rule: str) -> None:
    others = [replace(passage("The gate is closed at nine."), score=0.1)] * 4
    assert quoted(asked(question, [passage(rule), *others])) == []


def test_the_act_done_to_another_thing_is_no_answer_whatever_the_title_says() -> None:
    lanterns = replace(passage("").source, title="The Lantern Act")
    question = "Who must return the lantern?"
    assert quoted(asked(question, [replace(passage("A keeper must return every key."), source=lanterns)])) == []
    rule = "A keeper must return every lantern."
    assert quoted(asked(question, [replace(passage(rule), source=lanterns)])) == [rule]


def test_less_is_needed_of_what_was_found_first() -> None:
    # Four of seven words are enough in the first two passages, not in the third.
    question = "Can a visitor moor a boat overnight at the pier by lantern and bell?"
    rule = "A visitor rings the bell for a boat by lantern."
    others = [replace(passage("The pier closes at nine."), score=0.99)] * 2
    shares = [quoted(asked(question, [*others[:place], passage(rule), *others[place:]])) for place in (0, 2)]
    assert shares == [[rule], []]


def test_one_word_is_enough_where_nothing_else_comes_near() -> None:
    question, rule = "What does Marwan command?", "Marwan was met by the keeper."
    alone, close = (
        asked(question, [passage(rule), *[replace(passage("The pier closes at nine."), score=score)] * 4])
        for score in (0.1, 0.9)
    )
    assert (quoted(alone), quoted(close)) == ([rule], [])


def test_the_most_of_another_thing_is_no_answer() -> None:
    question = "What is the maximum deposit?"
    row = "Registration of a deposit\tforty crowns"
    assert quoted(asked(question, [passage(row, path=("Maximum fees",))])) == []
    rule = "The deposit must not exceed forty crowns."
    assert quoted(asked(question, [passage(rule, path=("Maximum deposits",))])) == [rule]


def test_a_definition_answers_what_something_is_and_nothing_else() -> None:
    held = passage("In these rules:\n“berth” means the place of one boat at the pier, within the harbour;")
    assert quotes(asked("Who has a berth at the pier within the harbour?", [held])) == []
    assert quoted(replace(asked("What is a berth?", [held]), asked=(terms("berth"),)))


def test_a_clause_that_ends_with_a_bracket_is_no_note_on_sources() -> None:
    clause = "(4) “Civil fine” means a fine under Part 3 of the Ports Act 2008 (fixed fines and notices)."
    held = passage(f"(1) This section is about section 2.\n{clause}")
    assert clause in quoted(replace(asked("What is a civil fine?", [held]), asked=(terms("civil fine"),)))[0]


def test_the_name_of_an_act_alone_answers_nothing() -> None:
    held = passage("There shall be a Harbour Guard of the town, which guards the harbour.")
    guard = replace(held, source=replace(held.source, title="Harbour Guard Act"))
    assert quoted(asked("What is the duty of the Harbour Guard of the town?", [guard]))
    assert quotes(asked("What colour are the coats of the Harbour Guard?", [guard])) == []


def test_a_table_of_contents_is_not_quoted() -> None:
    contents = passage(
        "Arrangement of Sections\n1. Boats at the pier\n2. Fines for boats at the pier\n3. Lanterns at the pier"
    )
    assert quotes(asked("What are the fines for boats at the pier?", [contents])) == []
