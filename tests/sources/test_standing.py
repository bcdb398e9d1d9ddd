"""What became of pinned citations by a day."""

from datetime import date
from typing import Any

import pytest

from sources.models import Source
from sources.standing import PinnedCitation, Standing, StandingStatus, WorkReader
from tests.search.corpus import add_document, replace_text
from tests.sources.changes.laws import AMENDED, BEGAN, act, amended

pytestmark = pytest.mark.django_db

FIRST = """Allotment Gardens Act
1. Definitions
In this Act:
"plot" means a piece of land of at most two hundred square metres;
"warden" means the person appointed under section 5.
2. Rent
A tenant pays the rent for the plot on the first day of March of each year.
3. Water
(a) Water is drawn between six and nine in the morning.
(b) A hose may be used only with the consent of the neighbours on both sides.
4. Sheds
A shed may stand on the land if it is no higher than two metres and has no chimney.
5. Bees
Three hives may be kept behind a hedge that is higher than a grown person.
6. Notice
Whoever leaves tells the association so in writing before the end of September."""
SECOND = """Allotment Gardens Act
1. Definitions
In this Act:
"plot" means a piece of land of at most three hundred square metres;
"warden" means the person appointed under section 5.
2. Rent
A tenant pays the rent for the plot on the first day of March of each year.
3. Water
(a) Water is drawn between five and ten in the morning.
(b) A hose may be used only with the consent of the neighbours on both sides.
4. [Repealed, 2022, c. 3]
5. Fires
No fire is lit between sunrise and sunset while the leaves are dry.
6. Bees
Three hives may be kept behind a hedge that is higher than a grown person."""
TODAY = date(2024, 1, 1)


def gardens(first: str = FIRST, second: str = SECOND) -> tuple[Source, Source]:
    fields: dict[str, Any] = {"kind": "law", "title": "Allotment Gardens Act"}
    old = add_document(first, valid_from=BEGAN, valid_to=AMENDED, **fields)
    return old, add_document(second, valid_from=AMENDED, work_id=old.work_id, **fields)


def outcome_on(one: PinnedCitation, day: date) -> Standing:
    return WorkReader(one.work_id).read(one, day)


def pin(source: Source, eid: str, quote: str = "", **fields: Any) -> PinnedCitation:
    return PinnedCitation(work_id=source.work_id, source_id=source.pk, eid=eid, quote=quote, **fields)


@pytest.mark.parametrize(
    ("eid", "quote", "status", "now"),
    [
        ("sec_3", "between six and nine", "changed", "sec_3"),
        ("sec_3__subsec_a", "between six and nine", "changed", "sec_3__subsec_a"),
        ("sec_3__subsec_b", "consent of the neighbours", "stands", "sec_3__subsec_b"),
        ("sec_4", "no higher than two metres", "repealed", ""),
        ("sec_5", "behind a hedge", "renumbered", "sec_6"),
        ("sec_6", "before the end of September", "repealed", ""),
        ("sec_2", "the first day of March", "definition_changed", "sec_2"),
    ],
)
def test_each_outcome_is_told_with_its_day(eid: str, quote: str, status: str, now: str) -> None:
    old, new = gardens()
    found = outcome_on(pin(old, eid, quote), TODAY)
    assert found.status == status
    assert found.since == (None if status == "stands" else AMENDED)
    assert (found.now.eid if found.now and found.status != "repealed" else "") == now
    assert found.version == new.pk if found.now else True
    assert outcome_on(pin(old, eid, quote), date(2022, 1, 1)).status == "stands"


def test_the_words_that_are_left_are_told_from_those_that_are_not() -> None:
    old, _ = gardens()
    assert not outcome_on(pin(old, "sec_3", "between six and nine"), TODAY).quote_stands
    whole = outcome_on(pin(old, "sec_3", "A hose may be used only with the consent"), TODAY)
    assert (whole.status, whole.quote_stands) == (StandingStatus.CHANGED, True)


def test_a_term_is_named_that_is_defined_otherwise() -> None:
    old, _ = gardens()
    assert outcome_on(pin(old, "sec_2"), TODAY).terms == ("plot",)
    assert outcome_on(pin(old, "sec_3__subsec_b"), TODAY).terms == ()


def test_a_day_takes_the_place_of_a_version() -> None:
    old, _ = gardens()
    by_day = PinnedCitation(work_id=old.work_id, eid="sec_3", day=date(2022, 5, 1))
    assert outcome_on(by_day, TODAY).status == StandingStatus.CHANGED
    assert (
        outcome_on(PinnedCitation(work_id=old.work_id, eid="sec_3", day=TODAY), TODAY).status == StandingStatus.STANDS
    )


def test_a_work_that_ended_is_repealed_since_its_last_day() -> None:
    source = act(valid_from=BEGAN, valid_to=AMENDED)
    found = outcome_on(pin(source, "sec_2"), TODAY)
    assert (found.status, found.since) == (StandingStatus.REPEALED, AMENDED)
    assert outcome_on(PinnedCitation(work_id=source.work_id), TODAY).status == StandingStatus.REPEALED


def test_a_hebrew_act_is_followed_as_well() -> None:
    old, _ = amended()
    assert outcome_on(pin(old, "sec_2"), TODAY).status == StandingStatus.CHANGED
    assert outcome_on(pin(old, "sec_3"), TODAY).status == StandingStatus.REPEALED
    assert outcome_on(pin(old, "sec_4"), TODAY).status == StandingStatus.STANDS


def test_a_text_that_was_replaced_is_held_against_what_was_kept() -> None:
    source = add_document(FIRST, kind="law", title="Allotment Gardens Act")
    kept = pin(
        source,
        "sec_5",
        "behind a hedge",
        text="5. Bees\nThree hives may be kept behind a hedge that is higher than a grown person.",
        number="5",
    )
    assert outcome_on(kept, TODAY).status == StandingStatus.STANDS
    replace_text(source, SECOND)
    assert outcome_on(kept, TODAY).status == StandingStatus.RENUMBERED
    assert outcome_on(
        pin(source, "sec_3", "x", text="3. Water\nWater is drawn at noon.", number="3"), TODAY
    ).status == (StandingStatus.CHANGED)


def test_what_is_deleted_is_not_here() -> None:
    assert (
        outcome_on(PinnedCitation(work_id=2**40, source_id=2**40, eid="sec_1"), TODAY).status == StandingStatus.NOT_HERE
    )
