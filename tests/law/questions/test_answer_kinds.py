"""What questions want, in both languages."""

import pytest

from law.questions.answer_kinds import (
    AnswerKind,
    asks_for_definition,
    definition_term,
    is_question,
    puts_question,
    wanted_answer,
)


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("מה זה משכון?", "משכון"),
        ("מי נחשב קטין במשפט האזרחי?", "קטין במשפט האזרחי"),
        ("What is a feeder fund?", "feeder fund"),
        ("what counts as a Virtual Asset", "Virtual Asset"),
        ("What does MTF mean?", "MTF"),
        ("What do they mean by a spot commodity?", "spot commodity"),
        ("What is a berth for the purposes of section 3?", "berth"),
        ("מיהו קרוב לעניין איסור עסקאות?", "קרוב"),
        ("Who is the harbour authority?", "harbour authority"),
        ("Which boats are seaworthy vessels?", "seaworthy vessels"),
        ("Who is liable for a lost boat?", ""),
        ("What capital must an RIE hold?", ""),
        ("מתי נולד השכן?", ""),
        ("", ""),
    ],
)
def test_what_is_to_be_explained(question: str, term: str) -> None:
    assert definition_term(question) == term


N, D, A, G, F, T, P = (
    AnswerKind.NUMBER,
    AnswerKind.DURATION,
    AnswerKind.AMOUNT,
    AnswerKind.AGE,
    AnswerKind.FREQUENCY,
    AnswerKind.TIME,
    AnswerKind.PENALTY,
)


@pytest.mark.parametrize(
    ("query", "asks", "kinds"),
    [
        ("כמה ימים יש לי לערער?", True, {D}),
        ("עד מתי אפשר להתלונן", True, {D}),
        ("כמה חברים במועצה?", True, {N}),
        ("מאיזה גיל מותר לעבוד?", True, {G}),
        ("כל כמה זמן נערכת ביקורת?", True, {F}),
        ("מה גובה הקנס", True, {A, P}),
        ("מתי רשאי השר לסרב?", True, {T}),
        ("תוך כמה ימים יוגש ערר על גובה קנס מינהלי?", True, {D}),
        ("תוך כמה ימים משלמים ומה גובה הקנס?", True, {D, A, P}),
        ("Within how many days may a keeper appeal against a penalty?", True, {D}),
        ("How long is the prison sentence?", True, {D, P}),
        ("מה העלות של פנס?", True, {A}),
        ("מה מועד ההפלגה של סירה?", True, set()),
        ("מה המועד להגשת ערר?", True, {D}),
        ("מה מחירו של פנס?", True, {A}),
        ("עד מתי משלמים אגרה?", True, {D}),
        ("מה העונש על עגינה?", True, {P}),
        ("כמה קנס משלמים על עגינה?", True, {P, N}),
        ("כיצד מעגלים קנס?", True, set()),
        ("מי מטיל את הקנס?", True, set()),
        ("איזו מדינה כבשה את הנמל?", True, set()),
        ("How soon must we name another?", True, {D}),
        ("How many hives may be kept?", True, {N}),
        ("How often does the board meet?", True, {F}),
        ("How old must a keeper be?", True, {G}),
        ("What is the fee for a berth?", True, {A}),
        ("What is a civil sanction?", True, set()),
        ("Which penalty is due?", True, {P}),
        ("We closed a fund. When must its last report be filed?", True, {T}),
        ("When does a licence end?", True, {T}),
        ("What is the minimum ticket?", True, {N}),
        ("When closing an account, which value is reported?", True, set()),
        ("When would an auditor be asked?", True, set()),
        ("Who monitors the minimum standards of sourcing?", True, set()),
        ("What are the minimum safety measures at the pier?", True, set()),
        ("What does it cost to register?", True, {A}),
        ("Which duties has a club under its sanctions obligations?", True, set()),
        ("Which sanction follows?", True, {P}),
        ("What happens if a tenant breaks the lease?", True, set()),
        ("What follows when a return misses the deadlines?", True, set()),
        ("What must be reported, and how often should that be read?", True, set()),
        ("מי רשאי לערער?", True, set()),
        ("Can a minor sign", True, set()),
        ("זכות ערעור", False, set()),
        ("Complaints and appeals", False, set()),
    ],
)
def test_whether_it_asks_and_for_what(query: str, asks: bool, kinds: set[AnswerKind]) -> None:
    assert (is_question(query), wanted_answer(query).kinds) == (asks, kinds)


@pytest.mark.parametrize(
    ("question", "states", "does_not"),
    [
        ("How soon must it be paid?", "It is due within fourteen days.", "It is due to the fourteen keepers."),
        ("How soon must it be paid?", "It is paid without delay.", "It is paid to two keepers."),
        ("How many days are there?", "There are ten days.", "It is done as soon as practicable."),
        ("What is the fee?", "A fee of forty crowns is due.", "A fee is due within forty days."),
        ("How many hives may be kept?", "Three hives may be kept.", "Hives are kept for the five members of a club."),
        ("What is the fee?", "The licence is issued free of charge.", "The licence is issued by the keeper."),
        ("What is the fee?", "A fee of 9 euros is due.", "A fee is due as set out in Schedule 2."),
        ("What is the fee?", "A fee of 9 euros is due.", "A fee is due under sections 3, 4 and 5."),
        ("What is the fee?", "Under section 5, 30 euros are due.", "The fee is due under Parts 3 and 4."),
        ("What is the fee?", "A fee of 9 euros is due.", "A fee is due under the Pier Act (Act No. 2 of 2010)."),
        ("What is the fee?", "A fee of 9 euros is due.", "Once a fee is due, at least one keeper says so."),
        ("How often is it due?", "It is due once a year.", "It is due to the keeper."),
        ("On what day of the week does it meet?", "It meets on Mondays.", "It meets within thirty days."),
        ("On which day of the week does it meet?", "It meets on the last working day of May.", "It meets on 3 May."),
        ("On what day of the week is it open?", "It is open on market days.", "It is open for 3 days."),
        ("On what day of the week is it shut?", "It is shut on the fourth day of the week.", "It is shut for a day."),
        ("On what day of the week is it shut?", "It is shut on the day the keeper names.", "The keeper shuts it."),
        ("What day of the week is it open?", "It is open every day.", "It is open to two keepers."),
        ("מה סכום האגרה?", "האגרה היא 9 שקלים.", "האגרה תשולם לפי סעיפים 3, 4 או 5."),
        ("באיזה יום בשבוע נפתח המזח?", "המזח ייפתח ביום שני.", "המזח ייפתח בתוך שלושים ימים."),
        ("באיזה יום בשבוע נפתח המזח?", "המזח ייפתח בימים א' עד ה'.", "המזח ייפתח בידי השומר."),
        ("How often is it tested?", "It is tested at fitting intervals.", "It is tested by the keeper."),
        ("How old must a keeper be?", "A keeper is at least eighteen years old.", "The board has five members."),
        ("How often does it meet?", "It meets twice a year.", "It meets at the pier."),
        ("When does a licence end?", "A licence ends if its holder dies.", "A licence ends the waiting."),
        ("What is the penalty?", "He is liable to a fine.", "He has to leave the pier."),
        ("תוך כמה זמן משלמים?", "התשלום ייעשה תוך שבועיים.", "התשלום ייעשה לשני שומרים."),
        ("מה סכום הדמי?", "הסכום הוא ארבעים כתרים.", "הבקשה תוגש בתוך ארבעים ימים."),
        ("כמה עולה רישיון?", "הרישיון יינתן ללא תשלום.", "הרישיון יינתן לשומר."),
        ("What is the retirement age?", "He retires at the age of seventy.", "He has over ten years' experience."),
        ("What is the prison term?", "He is liable to imprisonment.", "The term is two years."),
        ("מה סכום הפיצוי?", "הפיצוי לא יעלה על 50,000 שקלים חדשים.", "הפיצוי ישולם בתוך שני חדשים."),
        ("עד מתי מוסרים דוח?", "הדוח יימסר מיד.", "הדוח מוסר מידע."),
        ("תוך כמה זמן מודיעים?", "ההודעה תימסר באופן מיידי.", "ההודעה מוסרת מידע."),
        ("מה העונש?", "דינו – מאסר שנה.", "המדינה תשלם את ההוצאות."),
        ("מאיזה גיל מותר לשוט?", "ישוט מי שהוא בן שתים עשרה.", "ישוט בן המקום."),
        ("מאיזה גיל מותר לשוט?", "לא תשוט מי שאינה בת 16.", "השט ישלם לבת זוגו 500 שקלים."),
        ("How many directors are there?", "There are two directors.", "The directors may appoint 2 secretaries."),
        ("כמה פקחים ימנה השר?", "השר ימנה שני פקחים.", "השר ימנה פקח לכל אחד מחמישה נמלים."),
        ("כמה זמן מראש מודיעים בשנה השנייה?", "בשנה השנייה – חודשיים.", "בשנה השנייה – בכתב."),
        (
            "How long before a race is the map shown?",
            "It is shown two days before.",
            "It is shown as soon as possible.",
        ),
        ("כמה זמן לפני המרוץ מציגים מפה?", "המפה תוצג יומיים לפניו.", "המפה תוצג לאלתר."),
        ("עד מתי מוסרים דוח?", "הדוח יימסר לא יאוחר מיום א׳ בכסלו.", "הדוח יימסר לשומר."),
        ("How many keepers are there?", "There are 31 keepers.", "The year begins on 1 April and ends on March 31."),
        ("כמה כסף מקבל שומר?", "השומר יקבל 90 שקלים.", "השנה מתחילה ב־1 בינואר."),
        ("מתי פוקע רישיון?", "רישיון פוקע אם מת בעליו.", "רישיון הוא מסמך."),
    ],
)
def test_what_says_what_is_wanted(question: str, states: str, does_not: str) -> None:
    wanted = wanted_answer(question)
    assert wanted.is_stated(states)
    assert not wanted.is_stated(does_not)


@pytest.mark.parametrize(
    "sentence",
    [
        "Was the boat moored?",
        "The question is whether the keeper was told.",
        "The first issue before us is whether a toll was due.",
        "השאלה העומדת להכרעה היא האם שולמו דמי העגינה.",
        'האם ידע השומר על כך?"',
    ],
)
def test_a_sentence_that_puts_a_question(sentence: str) -> None:
    assert puts_question(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["The keeper decides whether a toll is due.", "A question of law may be appealed.", "שאלות יופנו אל השומר בכתב."],
)
def test_a_sentence_that_speaks_of_questions(sentence: str) -> None:
    assert not puts_question(sentence)


@pytest.mark.parametrize(
    ("question", "text", "is_stated"),
    [
        ("How many days does one earn every month?", "Up to 90 days every year.", False),
        ("How many days does one earn every month?", "Two days for each month.", True),
        ("How many days does one earn per month?", "The monthly leave is two days.", True),
        ("How many days may one take?", "Up to 90 days every year.", True),
        ("כמה ימים צובר עובד בכל חודש?", "עד 90 ימים בשנה.", False),
        ("כמה ימים צובר עובד בכל חודש?", "עובד צובר שני ימים לחודש.", True),
        ("כמה משתמשים יש ביום?", "שני מיליון משתמשים יומיים.", True),
    ],
)
def test_a_rate_is_told_by_what_has_its_unit(question: str, text: str, is_stated: bool) -> None:
    assert wanted_answer(question).is_stated(text) is is_stated


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("What is an SPV?", True),
        ("What does NFT mean, and how is it different?", True),
        ("How is a private platform defined in the regulations?", True),
        ("מה פירוש המונח משכון?", True),
        ("מיהו קרוב לענין איסור עסקאות?", True),
        ("What is the fee for a licence?", False),
        ("How is the fee paid?", False),
        ("מהו המועד לערעור?", False),
    ],
)
def test_some_questions_only_a_definition_answers(question: str, is_so: bool) -> None:
    assert asks_for_definition(question) is is_so


@pytest.mark.parametrize(
    ("question", "text", "stated"),
    [
        # A length of time or a year counts nothing else, and a word of the question says no time.
        ("How many members has the board?", "An appeal is brought to the board within fourteen days.", False),
        ("How many members has the board?", "The board of 1998 hears the appeal.", False),
        ("How many members has the board?", "The board consists of five members.", True),
        ("How many members has the board?", "The board consists of five.", True),
        ("How many books may one borrow?", "A resident may borrow five books every month.", True),
        ("כמה ספרים זכאי תושב לשאול?", "תושב זכאי לשאול חמישה ספרים בכל חודש.", True),
        ("כמה חברים בוועדה?", "ערר מוגש לוועדה תוך ארבעה עשר יום.", False),
        ("כמה חברים בוועדה?", "תוקם ועדה של שלושה.", True),
        ("כמה תקופות מכהן הנשיא?", "הנשיא החדש מתחיל לכהן.", False),
        ("מתי נכנס לתוקף חוק מכירת רכב משומש?", "מי שרכש רכב משומש זכאי למידע.", False),
        ("מתי נכנס לתוקף חוק מכירת רכב משומש?", "תחילתו של חוק זה ארבעה חודשים מיום פרסומו.", True),
        ("מתי נמסר הרכב?", "הרכב נמסר משולם המחיר.", True),
        # A price, a rate or an age has any unit or none, and `liable` and `penalty interest` say no penalty alone.
        ("What is the tax rate of a company?", "A company is liable to tax at 20 per cent of its profits.", True),
        ("What is the fee for a dog?", "The owner of a dog is liable to pay a fee of 90 euros.", True),
        ("What interest rate is paid?", "A borrower in default pays penalty interest of 3 per cent.", True),
        ("What is the fee for a dog licence?", "The fee for a dog licence is fifty pula.", True),
        ("What does a licence cost?", "A licence costs 450.", True),
        ("What is the salary of a judge?", "A judge has 31,500.", True),
        ("What is the maternity pay?", "Maternity pay is two-thirds of wages.", True),
        ("What is the legal interest rate?", "The legal interest is 0.04 per annum.", True),
        ("What is the maximum speed of a ferry?", "A ferry may sail at 20 kmh.", True),
        ("How old is a manager?", "A manager is at least 25 years.", True),
        ("What is the age of jurors?", "Jurors are persons between 18 and 70 years.", True),
        ("What is the age of a driver?", "A driver has reached eighteen years' of age.", True),
        ("How many rangers are there?", "The time when rangers of the park change is 6 in the morning.", False),
        ("מה מחיר העגינה?", "מחיר העגינה הוא חמישה כתרים למטר.", True),
        ("מה משכורתו של שופט?", "משכורתו של שופט תהיה 31,500 לחודש.", True),
        ("מה השכר של סיפונאי?", "שכר סיפונאי הוא שני שלישים משכר רב חובל.", True),
        ("איזו ריבית משלמים?", "הריבית היא 7.5 למאה לשנה.", True),
        ("באיזה גיל יפרוש שופט?", "שופט יפרוש במלאת לו שבעים שנה.", True),
        ("מאיזה גיל אפשר להתמנות שומר?", "שומר יתמנה מי שהוא למעלה מ-30 שנה.", True),
        ("כמה פקחים יש בפארק?", "מועד החלפת הפקחים בפארק הוא 6 בבוקר.", False),
    ],
)
def test_what_only_looks_like_what_is_asked_for(question: str, text: str, stated: bool) -> None:
    assert wanted_answer(question).is_stated(text) is stated
