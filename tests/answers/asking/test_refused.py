"""Refusals that say what the database knows: since when a section is repealed, and that documents are in a language."""

from datetime import date
from typing import Any

import pytest

from sources.models import Source
from tests.answers.asking.asking import ask
from tests.search.corpus import add_document
from tests.sources.changes.laws import work

TITLE = "חוק המזח, התשפ״א–2021"
CHANGED = date(2023, 1, 1)
REPEALED = "2. (בוטל)."

pytestmark = pytest.mark.django_db(transaction=True)


def act(second: str, **days: Any) -> Source:
    text = f"{TITLE}\n1. פעמון\nהשומר יצלצל בפעמון בכל בוקר.\n{second}\n3. פנס\nסירה עוגנת תחזיק פנס דולק."
    return add_document(text, kind="law", title=TITLE, **days)


def test_a_section_is_repealed_since_the_version_that_changed_it() -> None:
    old = act("2. חבל\nסירה תחזיק חבל ארוך.", valid_from=date(2021, 1, 1), valid_to=CHANGED)
    act(REPEALED, work_id=old.work_id, valid_from=CHANGED)
    work()
    said = ask(f"מה קובע סעיף 2 ל{TITLE}?", topic_id=1)
    assert (said["reason"], said["status"]) == ("repealed", "insufficient_evidence")
    assert "כך הוא בנוסח שבתוקף מיום 1.1.2023." in said["answer"]


def test_where_no_version_tells_it_is_said_that_it_is_not_known() -> None:
    act(REPEALED)
    said = ask(f"מה קובע סעיף 2 ל{TITLE}?", topic_id=1)
    assert said["reason"] == "repealed"
    assert said["answer"].endswith("לא נאמר בו במה בוטל וממתי.")


def test_a_question_in_another_language_is_told_so() -> None:
    act(REPEALED)
    for question in ("Who paints the lantern of a boat?", "What is the orbit of Jupiter?"):
        said = ask(question, topic_id=1)
        assert (said["reason"], said["passages"]) == ("other_language", [])
        assert said["answer"].startswith("The documents are in another language than the question")
