"""Citations that a query, a text and a check read alike: to the same section, or to none."""

import datetime as dt
from collections.abc import Iterable

import pytest

from answers.checking.verdicts.check import check
from law.citations.parsing import ParsedQuery
from sources.citations import resolve
from sources.models import Chunk
from sources.references.texts import resolve_text
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
DAY = dt.date(2040, 1, 1)
RAFTS, TARIFF = "Regulation (EU) 2031/852", "Republic Act No. 10863"
ACTS = [  # what it is called below, the rest of its title, its number, its sections
    ("Hoists Act 2003", "", "", "2 3 4"),
    ("Hoists Act 1998", "", "", "2 3 4"),
    ("Ferries Act", "", "Cap. 63", "2 3"),
    ("Anchors Act", "", "R.S.C. 1985, c. A-46", "2 3"),
    ("Dams Regulations 2019", "", "S.I. No. 12 of 2019", "2 3"),
    ("Quays Act 1967", "", "", "2 3"),
    (RAFTS, " of the European Parliament on rafts (General Raft Protection Regulation)", "", "2 3"),
    ("Conduct of Rafts Sourcebook", " (CORS)", "", "3.4.1 3.4.2"),
    (TARIFF, " - Customs Tariff Act", "", "2 3"),
    ("Colorado Revised Statutes Title 18", " Criminal Code", "", "18-3-102 18-3-103"),
    ("חוק הגשרים", ', התשמ"ח–1988', "", "2 3 4"),
    ("חוק החוזים", ' (חלק כללי), התשל"ג–1973', "", "2 3"),
    ("פקודת הסולמות", " [נוסח חדש]", "", "2 3"),
]
ALIKE = {
    "section 4 of the Hoists Act 2003": "Hoists Act 2003 4",
    "Hoists Act 1998, s 2": "Hoists Act 1998 2",
    "section 3 of the Hoists Act 2005": "",
    "paragraph (a) of subsection (1) of section 3 of the Hoists Act 2003": "Hoists Act 2003 3",
    "section 3 of the Ferries Act (Cap. 63)": "Ferries Act 3",
    "section 3 of the Ferries Act (Cap. 7)": "",
    "Cap. 7, s 2": "",
    "section 2 of the Anchors Act, R.S.C. 1985, c. A-46": "Anchors Act 2",
    "regulation 2 of S.I. No. 12 of 2019": "Dams Regulations 2019 2",
    "regulation 2 of S.I. No. 13 of 2019": "",
    "s 2 of the Quays Act 1967 (2020 Rev Ed)": "Quays Act 1967 2",
    "Quays Act (Cap 51, 2010 Rev Ed) s 2": "",
    "Article 2 of Regulation (EU) 2031/852": f"{RAFTS} 2",
    "Article 3 of the General Raft Protection Regulation": f"{RAFTS} 3",
    "Article 2 of Regulation (EU) 2031/853": "",
    "CORS 3.4.1": "Conduct of Rafts Sourcebook 3.4.1",
    "CORS Rule 3.4.2": "Conduct of Rafts Sourcebook 3.4.2",
    "CABS Rule 3.4.2": "",
    "Rule 3.4.1 CABS": "",
    "Section 3 of Republic Act No. 10863": f"{TARIFF} 3",
    "R.A. 10863, Sec. 2": f"{TARIFF} 2",
    "Customs Tariff Act, Sec. 3": f"{TARIFF} 3",
    "section 3 of R.A. 10864": "",
    "C.R.S. 18-3-102": "Colorado Revised Statutes Title 18 18-3-102",
    "C.R.S. 18-3-102 and section 4 of the Hoists Act 2003": "Colorado Revised Statutes Title 18 18-3-102"
    " · Hoists Act 2003 4",
    "SSI 2019/123, reg. 2": "",
    "SOR/2018-108, s 3": "",
    "סעיף 4(א) לחוק הגשרים": "חוק הגשרים 4",
    "סעיף 3 לחוק הגשרים, התשמ״ח-1988": "חוק הגשרים 3",
    "סעיף 3 לחוק הגשרים, התשמ״ט-1989": "",
    "סעיף 3 לחוק החוזים (חלק כללי)": "חוק החוזים 3",
    "סעיף 3 לחוק החוזים (תרופות)": "",
    "סעיף 3 לחוק הגשרים וסעיף 2 לפקודת הסולמות": "חוק הגשרים 3 · פקודת הסולמות 2",
    "פקודת הסולמות, סעיף 3": "פקודת הסולמות 3",
    "סעיף 3 מתוך נוהל 5.2.0012": "",
}


def test_queries_texts_and_checks_read_alike() -> None:
    titles: dict[int | None, str] = {}
    for title, rest, identifier, sections in ACTS:
        text = "\n".join(f"{one}. Heading\nThe keeper keeps book {one}." for one in sections.split())
        source = add_document(f"{title}{rest}\n{text}", kind="law", title=title + rest, identifier=identifier)
        titles[source.pk] = title
    scope = Scope(topic_id=first_topic().pk, as_of=DAY)

    def told(found: Iterable[tuple[int | None, str]]) -> str:
        return " · ".join(dict.fromkeys(f"{titles[pk]} {number}" for pk, number in found))

    for typed, expected in ALIKE.items():
        first = resolve(ParsedQuery(typed), scope=scope).first
        chunks = Chunk.objects.in_bulk(first)
        assert told((chunks[one].source_id, chunks[one].section) for one in first) == expected, typed

        said = f"The keeper rests on {typed} and no other." if typed.isascii() else f"הדבר נאמר בזה: {typed}."
        cited = resolve_text(said, scope=scope)
        assert told((one.target.source_id, one.mention.number) for one in cited if one.target.eid) == expected, typed

        checked = check(said, scope=scope).citations
        led = [one.to for one in checked if one.to and one.to.eid]
        assert told((one.source_id, one.number) for one in led) == expected, typed
