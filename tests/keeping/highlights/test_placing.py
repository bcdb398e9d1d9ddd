"""Where marked words are in other versions: changed, renumbered, moved, gone."""

from typing import Any

import pytest

from ingest.documents import edit, trash
from keeping.highlights import editing, placing
from keeping.highlights.editing import ChosenWords
from keeping.highlights.placing import PlacedHighlight, placed
from keeping.models import Highlight
from keeping.people import Owner
from law.comparison.anchors import Anchor
from sources import provisions
from sources.models import Source
from tests.factories import make_staff
from tests.search.corpus import add_document, replace_text
from tests.sources.changes.laws import AMENDED, BEGAN
from tests.sources.test_standing import FIRST, SECOND, gardens

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(db: None) -> Owner:
    return Owner(person=make_staff("rina"), within=None)


def mark(owner: Owner, source: Source, words: str, **chosen: Any) -> Highlight:
    return editing.mark(owner, source, ChosenWords(anchor=Anchor(words), **chosen), colour="yellow", note="")


def place_in(highlight: Highlight, version: Source) -> tuple[str, str, str]:
    """Its status, its provision, and the words that the version has there."""
    [found] = placed([highlight], version)
    return found.status, found.eid, words_of(found, version)


def words_of(found: PlacedHighlight, version: Source) -> str:
    return provisions.whole_text(version.pk)[found.place.start : found.place.end] if found.place else ""


@pytest.mark.parametrize(
    ("words", "status", "eid"),
    [
        ("on the first day of March", "stands", "sec_2"),
        ("only with the consent of the neighbours", "stands", "sec_3"),  # another subsection changed
        ("In this Act", "stands", "sec_1"),
        ("between six and nine", "gone", "sec_3"),
        ("no higher than two metres", "gone", "sec_4"),
        ("Three hives may be kept", "renumbered", "sec_6"),
        ("5. Bees", "renumbered", "sec_6"),  # the number is not what was marked
        ("before the end of September", "gone", "sec_6"),
    ],
)
def test_words_are_carried_to_the_next_version(owner: Owner, words: str, status: str, eid: str) -> None:
    old, new = gardens()
    highlight = mark(owner, old, words)
    assert place_in(highlight, old) == ("stands", highlight.eid, words)
    shown = {"gone": "", "5. Bees": "Bees"}.get(status if status == "gone" else words, words)
    assert place_in(highlight, new) == (status, eid, shown)


def test_words_of_a_later_version_are_not_in_the_earlier(owner: Owner) -> None:
    old, new = gardens()
    assert place_in(mark(owner, new, "No fire is lit"), old) == ("not_yet", "sec_5", "")
    assert place_in(mark(owner, new, "Three hives may be kept"), old) == (
        "renumbered",
        "sec_5",
        "Three hives may be kept",
    )


def test_repeated_words_are_found_at_the_right_place(owner: Owner) -> None:
    text = (
        "1. Fees\n(a) The tenant pays the fee.\n(b) The owner may ask that the tenant pays the fee.\n2. End\nIt ends."
    )
    old = add_document(text, kind="law", title="Fees Act", valid_from=BEGAN, valid_to=AMENDED)
    changed = text.replace("It ends.", "It goes on.").replace("1. Fees\n", "1. Fees\n(1) Nobody pays twice.\n")
    new = add_document(changed, kind="law", title="Fees Act", valid_from=AMENDED, work_id=old.work_id)
    chosen = ChosenWords(anchor=Anchor("tenant pays the fee"), start=text.index("tenant", text.index("(b)")))
    highlight = editing.mark(owner, old, chosen, colour="blue", note="")
    [here] = placed([highlight], new)
    assert here.place
    assert here.place.start == changed.index("tenant pays", changed.index("(b)"))
    assert here.cited == "section 1, Fees Act"


def test_words_that_moved_to_another_provision_are_followed(owner: Owner) -> None:
    sentence = "A shed may stand on the land if it is no higher than two metres and has no chimney."
    moved = SECOND.replace("5. Fires\n", f"5. Fires\n{sentence}\n")
    old, new = gardens(second=moved)
    assert place_in(mark(owner, old, "if it is no higher than two metres"), new)[:2] == ("renumbered", "sec_5")


def test_a_document_that_is_read_anew_keeps_them(owner: Owner) -> None:
    old, _ = gardens()
    highlight = mark(owner, old, "Three hives may be kept")
    replace_text(old, FIRST.replace("Allotment Gardens Act\n", "Allotment Gardens Act\nof the city\n"))
    assert place_in(highlight, old) == ("stands", "sec_5", "Three hives may be kept")
    replace_text(old, "1. Other\nAnother document altogether.")
    assert place_in(highlight, old)[0] == "gone"


def test_a_deleted_version_leaves_them_to_the_others(owner: Owner) -> None:
    old, new = gardens()
    bees, water = mark(owner, old, "Three hives may be kept"), mark(owner, old, "between six and nine")
    edit.delete(old.pk, by="dana")
    assert list(editing.of_version(owner, new)) == [bees, water]
    assert place_in(bees, new)[:2] == ("renumbered", "sec_6")
    assert place_in(water, new)[0] == "gone"


def test_they_stay_while_the_document_is_in_the_trash(owner: Owner) -> None:
    old, new = gardens()
    bees, fires = mark(owner, old, "Three hives may be kept"), mark(owner, new, "No fire is lit")
    for source in (old, new):
        trash.throw_away(source.pk, by="dana")
    assert editing.forget_lost() == 0
    trash.destroy(new.pk, by="dana")
    assert editing.forget_lost() == 0  # a version of their work can be put back
    trash.restore(old.pk, by="dana")
    assert list(editing.of_version(owner, Source.objects.get(pk=old.pk))) == [bees, fires]
    trash.throw_away(old.pk, by="dana")
    trash.destroy(old.pk, by="dana")
    assert editing.forget_lost() == 2


def test_a_document_without_provisions_keeps_them_too(owner: Owner) -> None:
    notice = "The board reminds all tenants that water is dear. It thanks them for their care."
    old = add_document(notice, kind="circular", title="Notice", valid_from=BEGAN, valid_to=AMENDED)
    new = add_document("To all. " + notice, kind="circular", title="Notice", valid_from=AMENDED, work_id=old.work_id)
    assert place_in(mark(owner, old, "water is dear"), new) == ("stands", "", "water is dear")


def test_what_is_not_compared_says_so(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = gardens()
    highlight = mark(owner, old, "between six and nine")
    monkeypatch.setattr(placing, "MAX_COMPARED", 0)
    assert place_in(highlight, new)[0] == "not_compared"
