"""Which act a question asks about, and which sentences only mention it."""

import pytest

from law.questions.asked_acts import asked_act, asked_subject, asked_things, asked_verb, only_mentions


@pytest.mark.parametrize(
    ("question", "act"),
    [
        ("When must the lantern be returned?", "returned"),
        ("Within how many days must a lantern be properly returned to its owner?", "returned"),
        ("When is a lantern returned?", "returned"),
        ("Who must return the lantern?", "return"),
        ("How long does a keeper have to return it?", "return"),
        ("How soon must the keeper of lanterns return them?", ""),
        ("When must the keeper return the lantern?", "return"),
        ("How many lanterns may be kept?", ""),
        ("What is a lantern?", ""),
        ("When a lantern is to be returned, how is it cleaned?", ""),
        ("מתי יוחזר הפנס?", "יוחזר"),
        ("תוך כמה ימים יוחזר הפנס?", "יוחזר"),
        ("מתי חייב שומר המזח להחזיר את הפנס?", "להחזיר"),
        ("מי יחזיר את הפנס?", "יחזיר"),
        ("עד מתי מחזיר השומר את הפנס?", "מחזיר"),
        ("תוך כמה ימים מודיעים לשומר?", "מודיעים"),
        ("תוך כמה ימים מיום העגינה?", ""),
        ("כמה פנסים מותר להחזיק?", ""),
    ],
)
def test_the_act_of_a_question(question: str, act: str) -> None:
    assert asked_act(question) == act


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("איך בוחר שומר פנס?", "בוחר"),
        ("לאיזה כיוון מעגלים את הקנס?", "מעגלים"),
        ("לאיזה בית משפט מגישים ערר?", "מגישים"),
        ("כמה שנים שומרים את הפנס?", "שומרים"),
        ("מה מחזיר הפנס?", ""),
        ("מאיזה גיל מותר לשוט?", ""),
        ("How does a keeper choose?", ""),
    ],
)
def test_the_verb_that_a_question_word_makes_known(question: str, verb: str) -> None:
    assert asked_verb(question) == verb


@pytest.mark.parametrize(
    "sentence",
    [
        "A keeper must keep the log for seven years after the lantern was returned.",
        "Within 20 days after each quarter a keeper must report the lanterns held, received and returned.",
        "Before it returns a lantern, the pier office must clean it.",
        "Where the lantern is returned late, the keeper must pay forty crowns.",
        "It attaches to a lantern not returned in time, whoever was late.",
        "The log must be kept until the return of the lantern.",
        "It may not be sold, since section 9 keeps it for the return of lanterns.",
    ],
)
def test_a_sentence_with_another_duty_only_mentions_the_act(sentence: str) -> None:
    assert only_mentions(sentence, lambda word: word.startswith("return"))


@pytest.mark.parametrize(
    "sentence",
    [
        "A keeper must return the lantern within nine days.",
        "If the boat leaves, the lantern must be cleaned and returned within nine days.",
        "A lantern is returned within nine days.",
        "When the boat has left, the keeper must clean the lantern and return it.",
        "Lanterns returned under this rule must be kept dry.",
        "Lantern returned\tnine days",
        "The return of a lantern must be made within nine days.",
        "The log must be kept for seven years.",
    ],
)
def test_a_sentence_that_says_when_it_is_done_is_no_mention(sentence: str) -> None:
    assert not only_mentions(sentence, lambda word: word.startswith("return"))


@pytest.mark.parametrize(
    ("sentence", "mentions"),
    [
        ("שומר המזח ינהל את היומן שבע שנים לאחר שהפנס הוחזר.", True),
        ("אם הוחזר הפנס באיחור, ישלם השומר ארבעים כתרים.", True),
        ("על פנס שלא הוחזר במועד ישלם השומר ארבעים כתרים.", True),
        ("הפנס יוחזר בתוך תשעה ימים.", False),
        ("מיום שהופלגה הסירה יוחזר הפנס בתוך תשעה ימים.", False),
    ],
)
def test_clauses_of_time_and_condition_in_hebrew(sentence: str, mentions: bool) -> None:
    assert only_mentions(sentence, lambda word: word.endswith(("וחזר", "חזיר"))) is mentions


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("How many days of annual leave has a keeper?", ["annual leave"]),
        ("Within how many days of receipt is it sent?", []),
        ("Which documents must be attached to an application?", ["documents", "attached"]),
        ("What is the salary of a keeper?", ["salary"]),
        ("כמה ימי חופשה מגיעים לשומר?", ["חופשה"]),
        ("Which boats are safe?", []),
        ("How many boats are there?", []),
        ("How long do I have to file a tax return?", []),
        ("תוך כמה זמן צריך להגיש ערר?", []),
    ],
)
def test_what_a_question_asks_for(question: str, things: list[str]) -> None:
    assert asked_things(question) == things


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece", ["when ", "be ", "be, held ", "returned ", "a ", "must ", "אם ", "ש", "מתי יש ", "is a "]
)
def test_hostile_text_costs_time_in_proportion(piece: str) -> None:
    text = piece * (8_000 // len(piece))
    only_mentions(text, lambda word: word == "returned")
    asked_act(text)


@pytest.mark.parametrize(
    ("question", "subject", "as_well"),
    [
        ("What colour is the lantern?", "colour", ""),
        ("In which harbour is it moored?", "harbour", ""),
        ("What are the duties of a keeper?", "", ""),
        ("What must be done with a lost lantern?", "", ""),
        ("What is the licence for?", "licence", "permit"),
        ("Who keeps the lantern?", "", ""),
        ("The keeper does what he likes. May he leave?", "", ""),
        ("מה צבע הפנס?", "צבע", ""),
        ("לאיזה נמל מגיעה הסירה?", "נמל", ""),
        ("מהו ההיתר הנחוץ לעגינה?", "ההיתר", "רישיון"),
        ("מה תפקידיו של השומר?", "", ""),
        ("מה צריך לכלול הטופס?", "", ""),
        ("מי מחזיק בפנס?", "", ""),
    ],
)
def test_the_word_by_which_something_is_asked_for(question: str, subject: str, as_well: str) -> None:
    words = [term.word for term in asked_subject(question)]
    assert words[:1] == ([subject] if subject else [])
    assert not as_well or as_well in words
