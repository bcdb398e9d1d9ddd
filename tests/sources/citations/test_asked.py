"""Citations as people type them into a search box, each with the act and section it means."""

import pytest

from search.retrieval import Match
from tests.search.citing import first, search
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db

ACTS = {
    "privacy": ('חוק הגנת הפרטיות, התשמ"א–1981', "1 2 3 7 13 13א 17 31א"),
    "privacy regulations": ('תקנות הגנת הפרטיות (אבטחת מידע), התשע"ז–2017', "1 2 3 13"),
    "penal": ('חוק העונשין, התשל"ז–1977', "1 2 34א 34כד 244 275 300א 345 415"),
    "torts": ("פקודת הנזיקין [נוסח חדש]", "1 2 35 36 41 64"),
    "companies": ('חוק החברות, התשנ"ט–1999', "1 2 3 192 193 252 253 254 255"),
    "companies ordinance": ('פקודת החברות [נוסח חדש], התשמ"ג–1983', "1 2 3 178 255"),
    "contracts": ('חוק החוזים (חלק כללי), התשל"ג–1973', "1 2 12 14 15 39"),
    "remedies": ('חוק החוזים (תרופות בשל הפרת חוזה), התשל"א–1970', "1 2 10 13 15 18"),
    "procedure 1984": ('תקנות סדר הדין האזרחי, התשמ"ד–1984', "1 2 13 100"),
    "procedure 2018": ('תקנות סדר הדין האזרחי, התשע"ט–2018', "1 2 13 41"),
    "dignity": ("חוק־יסוד: כבוד האדם וחירותו", "1 2 4 8"),
    "income tax": ("פקודת מס הכנסה [נוסח חדש]", "1 2 3 9 17 85א 102 131"),
    "severance": ('חוק פיצויי פיטורים, התשכ"ג–1963', "1 11 14 29"),
    "land": ('חוק המקרקעין, התשכ"ט–1969', "1 2 8 37 71ב"),
    "arrests": ('חוק סדר הדין הפלילי (סמכויות אכיפה – מעצרים), התשנ"ו–1996', "1 21 23 35"),
    "cobs": ("Conduct of Business Rulebook", "3.4.1 3.4.2 4.1"),
    "companies act": ("Companies Act 2006", "1 12 12A 172 1157"),
    "data": ("Data Protection Regulations 2021", "1 2 6 12 49"),
}
IDENTIFIERS = {"cobs": "COBS"}

CITED = [
    # Written in full, shortened, and in the order of speech.
    ("סעיף 2 לחוק הגנת הפרטיות התשמ״א-1981", "privacy", "2"),
    ("סעיף 2 לחוק הגנת הפרטיות תשמ״א 1981", "privacy", "2"),
    ("סעיף 2 לחוק הגנת הפרטיות 1981", "privacy", "2"),
    ("סע׳ 2 לחוק הגנת הפרטיות", "privacy", "2"),
    ("ס 2 לחוק הגנת הפרטיות", "privacy", "2"),
    ("ס'13א לחוק הגנת הפרטיות", "privacy", "13א"),
    ("סעיף 13 א לחוק הגנת הפרטיות", "privacy", "13א"),
    ("סעיף 13(א) לחוק הגנת הפרטיות", "privacy", "13"),
    ("סעיף 13-א לחוק הגנת הפרטיות", "privacy", "13א"),
    ("סעיף 13א' לחוק הגנת הפרטיות", "privacy", "13א"),
    ('סעיף 13"א לחוק הגנת הפרטיות', "privacy", "13א"),
    ("סעיף31א לחוק הגנת הפרטיות", "privacy", "31א"),
    ("חוק הגנת הפרטיות סעיף 17", "privacy", "17"),
    ("חוק הגנת הפרטיות - סעיף 17", "privacy", "17"),
    ("חוק הגנת הפרטיות (סעיף 17)", "privacy", "17"),
    ("חוק הגנת הפרטיות ס׳17", "privacy", "17"),
    ("הגנת הפרטיות סעיף 17", "privacy", "17"),
    ("סעיף 17 חוק הגנת הפרטיות", "privacy", "17"),
    ("סעיף 17 הגנת הפרטיות", "privacy", "17"),
    ("סעיף מספר 17 לחוק הגנת הפרטיות", "privacy", "17"),
    ("סעיף מס׳ 17 לחוק הגנת הפרטיות", "privacy", "17"),
    ("תקנה 3 לתקנות הגנת הפרטיות", "privacy regulations", "3"),
    ("תקנה 3 לתקנות הגנת הפרטיות אבטחת מידע", "privacy regulations", "3"),
    ("תקנה 3 לתקנות אבטחת מידע", "privacy regulations", "3"),
    ("מה אומר סעיף 34כד לחוק העונשין?", "penal", "34כד"),
    ("סעיף 34כ״ד לחוק העונשין", "penal", "34כד"),
    ("סעיף 300א לחוק העונשין תשל״ז", "penal", "300א"),
    ("מהו העונש לפי סעיף 415 סיפא לחוק העונשין", "penal", "415"),
    ("עבירה לפי ס׳ 345(א)(1) לחוק העונשין", "penal", "345"),
    ("סעיף 35 לפקודת הנזיקין", "torts", "35"),
    ("סעיף 35 לפקודת הנזיקין (נוסח חדש)", "torts", "35"),
    ("סעיף 35 לפקודת נזיקין", "torts", "35"),
    ("סעיף 255 לחוק החברות", "companies", "255"),
    ("סעיף 255 לפקודת החברות", "companies ordinance", "255"),
    ("סעיפים 252-254 לחוק החברות, התשנ״ט-1999", "companies", "252"),
    ("סעיפים 252, 253 ו-254 לחוק החברות", "companies", "252"),
    ("סעיפים 192 ואילך לחוק החברות", "companies", "192"),
    ("ס״ס 192-193 לחוק החברות", "companies", "192"),
    ("סעיפים 192 וגם 193 לחוק החברות", "companies", "192"),
    ("סעיף 12 לחוק החוזים (חלק כללי)", "contracts", "12"),
    ("סעיף 12 לחוק החוזים חלק כללי תשל״ג 1973", "contracts", "12"),
    ("סעיף 39 לחוק החוזים", "contracts", "39"),
    ("סעיף 18 לחוק החוזים תרופות", "remedies", "18"),
    ("סעיף 18 לחוק התרופות", "remedies", "18"),
    ("סעיף 10 לחוק החוזים (תרופות)", "remedies", "10"),
    ("תקנה 41 לתקנות סדר הדין האזרחי", "procedure 2018", "41"),
    ("תקנה 100 לתקנות סדר הדין האזרחי", "procedure 1984", "100"),
    ("תקנה 13 לתקנות סדר הדין האזרחי, תשע״ט-2018", "procedure 2018", "13"),
    ("תקנה 13 לתקנות סדר הדין האזרחי התשמ״ד", "procedure 1984", "13"),
    ("תקנה 13 לתקנות סדר הדין האזרחי (1984)", "procedure 1984", "13"),
    ("סעיף 2 לחוק יסוד כבוד האדם וחירותו", "dignity", "2"),
    ("סעיף 2 לחוק-יסוד: כבוד האדם וחירותו", "dignity", "2"),
    ("סעיף 8 לחוק יסוד: כבוד האדם", "dignity", "8"),
    ("סעיף 102 לפקודת מס הכנסה", "income tax", "102"),
    ("סעיף 102 לפקודה, פקודת מס הכנסה", "income tax", "102"),
    ("סעיף 85א לפקודת מס הכנסה", "income tax", "85א"),
    ("סעיף 3(ט) לפקודת מס הכנסה", "income tax", "3"),
    ("סעיף 14 לחוק פיצויי פיטורים", "severance", "14"),
    ("סעיף 14 לחוק פיצויי פיטורין", "severance", "14"),
    ("סעיף 14 לחוק פצויי פטורים", "severance", "14"),
    ("סעיף 71ב לחוק המקרקעין", "land", "71ב"),
    ("סעיף 71ב לחוק מקרקעין", "land", "71ב"),
    ("סעיף 21 לחוק המעצרים", "arrests", "21"),
    ("סעיף 21 לחוק סדר הדין הפלילי (סמכויות אכיפה-מעצרים)", "arrests", "21"),
    ("בסעיף 2 רישה ופסקאות (1) ו־(2) לפקודת הנזיקין", "torts", "2"),
    ("סעיף 35 סיפה וסעיף קטן (ב) לפקודת הנזיקין", "torts", "35"),
    # A citation inside a longer question.
    ("אני רוצה לדעת מה כתוב בסעיף 7 לחוק הגנת הפרטיות לגבי מאגר מידע", "privacy", "7"),
    ("האם בהתאם להוראות סעיף 8 לחוק המקרקעין נדרש מסמך בכתב?", "land", "8"),
    ("פרשנות סעיף 39 לחוק החוזים תום לב", "contracts", "39"),
    ("פסיקה על ס' 64 לפקודת הנזיקין רשלנות תורמת", "torts", "64"),
    # English.
    ("COBS 3.4.1", "cobs", "3.4.1"),
    ("COBS Rule 3.4.1", "cobs", "3.4.1"),
    ("COBS r.3.4.1(1)(a)", "cobs", "3.4.1"),
    ("rule 3.4.2 cobs", "cobs", "3.4.2"),
    ("Conduct of Business Rulebook rule 3.4.2", "cobs", "3.4.2"),
    ("Companies Act 2006 s 172", "companies act", "172"),
    ("Companies Act 2006, s.172(1)", "companies act", "172"),
    ("s172 Companies Act", "companies act", "172"),
    ("section 12A Companies Act 2006", "companies act", "12A"),
    ("sec 172 of the companies act", "companies act", "172"),
    ("what are the duties of directors under section 172 of the Companies Act 2006?", "companies act", "172"),
    ("Companies Act section 1157", "companies act", "1157"),
    ("Section 12(3)(a) Data Protection Regulations", "data", "12"),
    ("regulation 6 of the Data Protection Regulations 2021", "data", "6"),
    ("DPR 2021 section 49", "data", "49"),
    ("Article 6 DPR", "data", "6"),
]


def add_acts() -> None:
    for name, (title, numbers) in ACTS.items():
        drafts = [
            section(number, f"כותרת {number}", f"הוראה {number}. Provision {number}.") for number in numbers.split()
        ]
        add_source(*drafts, title=title, identifier=IDENTIFIERS.get(name, ""))


def test_what_people_type_finds_what_they_mean() -> None:
    add_acts()
    wrong = {}
    for query, act, number in CITED:
        hit = first(query)
        found = (hit.source.title, hit.section, hit.match)
        if found != (ACTS[act][0], number, Match.CITATION):
            wrong[query] = found
    assert wrong == {}


NOT_THERE = [
    "סעיף 99 לחוק הגנת הפרטיות",
    "סעיף 2 לחוק הגנת הדמיון",
    "סעיף 2 לחוק הזה",
    "סעיף 13-ת לחוק הגנת הפרטיות",
    "הגנת הצרכן סעיף 17",
    "תקנה 500 לתקנות סדר הדין האזרחי",
    "section 999 Companies Act",
    "s 5 of nothing",
    "COBS 9.9.9",
    "בג״ץ 6821/93",
]


def test_what_does_not_exist_cites_nothing_and_hides_nothing() -> None:
    add_acts()
    add_source("בג״ץ דן בהגנת הפרטיות, the court of nothing said, COBS.", title="", kind="caselaw")
    for query in NOT_THERE:
        hits = search(query).hits
        assert hits, query
        assert all(hit.match is not Match.CITATION for hit in hits), query


NUMBERS = {
    'ע"א 1234/05': ["ע״א 1234/05", "עא 1234/05", 'מה נקבע בע"א 1234/05', "ע.א. 1234/05", "ערעור 1234/05"],
    'בג"ץ 6821/93': ["בגץ 6821/93", "בג״צ 6821/93", "פסק דין בג״ץ 6821/93 בנק המזרחי"],
    'ת"פ 12345-06-19': ["תפ 12345-06-19", "ת״פ 12345/06/19", "תיק 12345-06-19"],
    'עע"מ 398/07': ["עע״מ 398/07", "עעמ 398/07"],
    "חוזר 2024-9-1": ["חוזר 2024-9-1", "חוזר מס׳ 2024-9-1", "חוזר מספר 2024/9/1", "בחוזר 2024-9-1 נקבע"],
    "הוראה 411": ["הוראה 411", "הוראה מס׳ 411", "הוראה מספר 411", "לפי הוראה 411"],
    "Case C-131/12": ["C-131/12", "case C‑131/12", "Case C 131/12"],
}


def test_numbers_of_cases_and_circulars_find_their_document() -> None:
    sources = {
        number: add_source("נקבע.", "The rule.", title="", identifier=number, kind="caselaw") for number in NUMBERS
    }
    wrong = [
        query
        for number, queries in NUMBERS.items()
        for query in queries
        if (hit := first(query)).source.id != sources[number].pk or hit.match is not Match.CITATION
    ]
    assert wrong == []
