"""An act in two versions, and documents that cite it."""

from datetime import date
from typing import Any

from sources import changes, references
from sources.models import ChangeWork, ReferenceWork, Source
from tests.search.corpus import add_document
from topics.models import Topic

TITLE = 'חוק השאלת ספרים, התשפ"א–2021'
OLD = f"""{TITLE}
1. הגדרות
בחוק זה, "ספר" – לרבות כתב עת.
2. זכות השאלה
תושב זכאי לשאול חמישה ספרים בכל חודש מן הספרייה הציבורית.
3. פיקדון
הספרן רשאי לדרוש פיקדון בסכום של מאה שקלים חדשים מכל שואל.
4. ביטול
תקנות ההשאלה הקודמות שעניינן ספרים וכתבי עת – בטלות."""
NEW = f"""{TITLE}
1. הגדרות
בחוק זה, "ספר" – לרבות כתב עת.
2. זכות השאלה
תושב זכאי לשאול תשעה ספרים בכל חודש מן הספרייה הציבורית.
4. ביטול
תקנות ההשאלה הקודמות שעניינן ספרים וכתבי עת – בטלות.
5. דיווח
הספרן ידווח לשר אחת לשנה על מספר הספרים שנשאלו בספרייה."""
BEGAN, AMENDED = date(2021, 1, 1), date(2023, 1, 1)


def work() -> None:
    while changes.work() or references.run_pending():
        pass
    assert not ChangeWork.objects.exists()
    assert not ReferenceWork.objects.exists()


def act(text: str = OLD, **fields: Any) -> Source:
    return add_document(text, kind="law", **{"title": TITLE, **fields})


def amended(*, began: date | None = BEGAN, on: date = AMENDED, **fields: Any) -> tuple[Source, Source]:
    """The act, and its version with section 2 changed, 3 removed and 5 added."""
    old = act(valid_from=began, valid_to=on, **fields)
    return old, act(NEW, valid_from=on, work_id=old.work_id, **fields)


def citing(section: str, *, title: str, topic: Topic | None = None, **fields: Any) -> Source:
    """Regulations whose section 1 cites one of the act's."""
    text = f"1. תחולה\nהוראה זו היא לפי סעיף {section} ל{TITLE}."
    return add_document(text, kind="regulation", title=title, topic=topic, **fields)
