"""Synonyms in files: out, in, and what an import would do."""

import pytest

from kb_project.errors import Invalid
from kb_project.models import AuditEntry
from search.models import Synonym
from search.synonyms import editing
from search.synonyms.editing import SynonymImport, written
from tests.factories import make_topic

pytestmark = pytest.mark.django_db
HEAD = "topic,words,means,weight\n"


def test_what_was_exported_comes_in_again_as_it_is() -> None:
    topic = make_topic(slug="rents")
    editing.create(topic=topic, words=["דייר", "דיירת"], means=["שוכר"], weight=0.8, by="test")
    editing.create(topic=None, words=['"sack"'], means=["dismissal"], by="test")
    file = ("\ufeff" + written(Synonym.objects.all())).encode()
    assert SynonymImport(file).changes() == []
    Synonym.objects.all().delete()
    assert len(SynonymImport(file).take_over(by="test")) == 2
    assert SynonymImport(file).changes() == []
    assert Synonym.objects.get(topic=topic).words == ["דייר", "דיירת"]


def test_a_preview_tells_the_changes_and_makes_none() -> None:
    kept = editing.create(topic=None, words=["sack"], means=["dismissal"], by="test")
    old = editing.create(topic=None, words=["boss", "chief"], means=["manager"], by="test")
    entries = AuditEntry.objects.count()
    given = SynonymImport(f'{HEAD},sack,dismissal,0.6\n,"chief, boss",employer,\n,rent,lease,1\n'.encode())
    changes = given.checked(by="test")
    assert [(change.row.value.words, change.before) for change in changes] == [
        (("chief", "boss"), old),
        (("rent",), None),
    ]
    assert Synonym.objects.count() == 2
    assert AuditEntry.objects.count() == entries
    given.take_over(by="test")
    assert dict(Synonym.objects.values_list("pk", "means")[:2]) == {kept.pk: ["dismissal"], old.pk: ["employer"]}
    assert Synonym.objects.get(words=["rent"]).weight == 1
    assert AuditEntry.objects.count() == entries + 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"", "first line"),
        (b"words,means\n", "first line"),
        (f"{HEAD}nowhere,sack,dismissal,1\n".encode(), "Line 2"),
        (f"{HEAD},sack,dismissal,heavy\n".encode(), "Line 2"),
        (f"{HEAD},sack,dismissal,nan\n".encode(), "Line 2"),
        (f"{HEAD},sack,dismissal,1\n\n,sack,notice,1\n".encode(), "Lines 2 and 4"),
        (f"{HEAD},=cmd(),dismissal,1\n".encode(), "Line 2"),
        (f"{HEAD},sack,,1\n".encode(), "Line 2"),
        (f'{HEAD},"sack,dismissal,1\n'.encode(), "CSV"),
        (HEAD.encode() + b",a,b,1\n" * 100_000, "larger"),
        (HEAD.encode() + b",,,\n,x,y,\n" * 2_000, "lines"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_line(content: bytes, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        SynonymImport(content).checked(by="test")
    assert not Synonym.objects.exists()
