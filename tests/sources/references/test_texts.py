"""What a text that is not stored cites, and which documents that means."""

import pytest

from sources.references.texts import resolve_text
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("title", ["חוק זכרון הסככות והגגות – גג ושם", "פקודת הידיעות הטלגרפיות לעתונות"])
def test_a_known_title_is_not_cut_where_no_section_is_cited(title: str) -> None:
    act = add_document("1. שימוש\nבסככה משתמשים.", kind="law", title=title)
    [found] = resolve_text(f"ראו {title}, להלן.", scope=Scope(topic_id=first_topic().pk))
    assert (found.target.source_id, found.mention.title) == (act.pk, title)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ('חוק סככות (בנייה וסילוק), תשל"ג–1973', "”כל סככה תסולק” (סעיף 2 ל{})."),
        ("צו סככות (אגרות)", "כפי שנקבע (סעיף 2 ל{})."),
        ("Hoists (Care, Use And Removal) Act, 2023", "“removed each year” (sec. 2 of the {}). By"),
        ("Hoists Act 2023 (Removal)", "It is removed (section 2 of the {})."),
        ("Hoists Act 2023", "It is removed (section 2 of the {})."),
    ],
)
def test_a_citation_in_brackets_ends_where_its_title_ends(title: str, text: str) -> None:
    act = add_document("1. Use\nA hoist is used.\n2. Removal\nA hoist is removed each year.", kind="law", title=title)
    [found] = resolve_text(text.format(title), scope=Scope(topic_id=first_topic().pk))
    assert (found.target.source_id, found.target.eid, found.mention.title) == (act.pk, "sec_2", title)
