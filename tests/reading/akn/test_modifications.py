"""What an amending act says and what a consolidation was made of, as Akoma Ntoso."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import etree

from extraction import extract
from ingest.documents.trash import throw_away
from reading.akn.document import NO_WORK_IDS
from sources.changes import work
from sources.models import Source
from sources.provisions import whole_text
from tests.ingest.consolidation.acts import (
    AMENDING,
    DAY,
    GARDENS_AMENDING,
    Day,
    make,
    planned,
    ports,
    reform,
    stored,
    take_in,
)
from tests.law.amendments.acts import PORTS
from tests.reading.akn.checking import NAMESPACE, schema_errors
from tests.reading.akn.writing import written

pytestmark = pytest.mark.django_db(transaction=True)


def all_of(source: Source, name: str) -> list[Any]:
    return list(etree.fromstring(written(source)).iter(f"{{{NAMESPACE}}}{name}"))


def said(element: Any) -> str:
    return "".join(element.itertext())


def hrefs(element: Any, name: str) -> list[str]:
    return [one.get("href") for one in element.iter(f"{{{NAMESPACE}}}{name}")]


def test_an_amending_act_says_what_it_changes_and_from_when(tmp_path: Path) -> None:
    ports(tmp_path)
    amending = reform(tmp_path)
    found = all_of(amending, "textualMod")
    assert [one.get("type") for one in found] == ["substitution", "repeal", "repeal", "repeal", "repeal"]
    assert hrefs(found[0], "source") == ["#sec_1"]
    [interval] = all_of(amending, "timeInterval")
    [event] = all_of(amending, "eventRef")
    assert (interval.get("start"), event.get("date")) == ("#event_1", "2025-03-04")
    periods = [[one.get("period") for one in mod.iter(f"{{{NAMESPACE}}}force")] for mod in found]
    assert periods == [["#tmpg_1"]] * 4 + [[]]  # when the last one begins is left to an order
    names = {one.get("eId"): one.get("showAs") for one in all_of(amending, "TLCReference")}
    assert {names[href.removeprefix("#")] for mod in found for href in hrefs(mod, "destination") if href[0] == "#"} == {
        "Customs Act",
        "Ports Act 2010",
    }


def test_quoted_words_and_lines_are_marked_in_the_text(tmp_path: Path) -> None:
    text = AMENDING.replace(
        "(2) Section 4 of the Act is repealed.", "(2) In section 4 of the Act, for “a” substitute “each”."
    )
    amending = reform(tmp_path, text)
    assert [said(one) for one in all_of(amending, "quotedText")] == ["a", "each"]
    law = take_in(tmp_path, GARDENS_AMENDING.replace("– בטל.", ', במקום "השר" יבוא "שר הפנים".'), title="תיקון")
    assert [said(one) for one in all_of(law, "quotedText")] == ["השר", "שר הפנים"]
    block = "Fees Act\n1. Fees\nThe Ports Act 2010 is amended by adding the following after section 5:\n“A fee is owed."
    block += "\nIt is paid at once.”"
    [structure] = all_of(take_in(tmp_path, block, title="Fees Act"), "quotedStructure")
    assert said(structure) == "“A fee is owed.\nIt is paid at once.”"


def test_what_was_given_out_with_changes_comes_in_as_it_was(tmp_path: Path) -> None:
    amending = reform(tmp_path, AMENDING.replace("(2) A licence", "“(2) A licence").replace("45 days.", "45 days.”"))
    path = tmp_path / "amending.xml"
    path.write_bytes(written(amending))
    again = [paragraph for page in extract(path) for paragraph in page.paragraphs]
    assert "(1) Subsection 3(2) of the Ports Act 2010 is replaced by the following:" in again
    assert "“(2) A licence is valid for 45 days.”" in again
    assert sorted(" ".join(again).split()) == sorted(whole_text(amending.pk).split())


def test_a_consolidation_says_what_it_was_made_of(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    made = stored(make(amending, planned(amending, act)))
    [first, second] = all_of(made, "textualMod")
    assert (first.get("type"), second.get("type")) == ("substitution", "repeal")
    [reference] = all_of(made, "passiveRef")
    assert hrefs(first, "source") == [f"{reference.get('href')}#sec_1"]
    assert hrefs(first, "destination") == ["#sec_3"]
    assert [(one.get("date"), one.get("type")) for one in all_of(made, "eventRef")] == [("2025-03-04", "amendment")]
    throw_away(amending.pk, by="dana")
    [named] = all_of(made, "TLCReference")
    assert named.get("showAs") == "Harbours Reform Act"
    assert all_of(act, "textualMod") == []


def test_when_its_own_sections_begin_and_end_is_said_of_them(tmp_path: Path) -> None:
    days = "Section 3 comes into force on May 1, 2026."
    ends = "The amendments made by section 3 cease to have effect at the end of June 30, 2027."
    amending = reform(tmp_path, AMENDING[: AMENDING.index("Section 3 comes")] + f"{days}\n5. Ends\n{ends}")
    assert not schema_errors(written(amending))
    begins, ended = all_of(amending, "forceMod")
    assert [one.get("type") for one in (begins, ended)] == ["entryIntoForce", "endOfEnactment"]
    assert (hrefs(begins, "source"), hrefs(begins, "destination")) == (["#sec_4"], ["#sec_3"])
    assert (hrefs(ended, "source"), hrefs(ended, "destination")) == (["#sec_5"], ["#sec_3"])
    assert [one.get("date") for one in all_of(amending, "eventRef")] == ["2025-03-04", "2026-05-01", "2027-07-01"]


def test_what_is_said_of_force_is_not_looked_for_in_new_law(tmp_path: Path) -> None:
    text = """\
Harbours Reform Act
S.C. 2025, c. 7
Assented to 2025-03-04
1. The Ports Act 2010 is amended by adding the following after section 9:
“10. This Act comes into force on 1 January 2025.”
2. Section 7 of the Ports Act 2010 is repealed.
3.   This Act comes into force on 1 January 2025.
"""
    [said_of_all] = all_of(reform(tmp_path, text), "forceMod")
    assert hrefs(said_of_all, "source") == ["#sec_3"]
    listed = "The following provisions of this Act come into force on 1 May 2026—\n(a) section 2;\n(b) section 3."
    [said_in_list] = all_of(reform(tmp_path, AMENDING[: AMENDING.index("Section 3 comes")] + listed), "forceMod")
    assert (hrefs(said_in_list, "source"), hrefs(said_in_list, "destination")) == (["#sec_4"], ["#sec_2", "#sec_3"])


def ids_of(source: Source) -> dict[str, str]:
    """What each element of a file is known by in all versions, by its eId, which it is where there is no wId."""
    elements = [one for one in etree.fromstring(written(source)).iter() if one.get("eId")]
    ids = {one.get("eId"): one.get("wId", one.get("eId")) for one in elements}
    assert len(set(ids.values())) == len(ids) == len(elements)
    return ids


def others_of(source: Source) -> dict[str, str]:
    return {eid: one for eid, one in ids_of(source).items() if eid != one}


def test_a_provision_with_another_number_says_which_it_had(tmp_path: Path) -> None:
    act = ports(tmp_path)
    text = PORTS.replace("5. Penalty", "5.1. Penalty")
    later = take_in(tmp_path, text, title="Ports Act 2010", valid_from=DAY, version_of=act.pk)
    assert later.work_id == act.work_id
    assert NO_WORK_IDS.encode() in written(later)  # its changes are not worked out yet
    assert b"wId=" not in written(later)
    path = tmp_path / "later.xml"
    path.write_bytes(written(later))
    assert "5.1. Penalty" in [paragraph for page in extract(path) for paragraph in page.paragraphs]
    work(longest_s=60)
    assert NO_WORK_IDS.encode() not in written(later)
    assert others_of(later) == {"sec_5-1": "sec_5"}
    assert others_of(act) == {}


def test_no_two_provisions_are_known_by_one_address(tmp_path: Path) -> None:
    act = ports(tmp_path)
    heads = ["3. Licence", "4. Fees", "5. Penalty", "6.\n", "7. Inspection"]
    text = PORTS
    for number, head in reversed(list(enumerate(heads, 4))):
        text = text.replace(head, f"{number}{head[1:]}")
    text = text.replace("Licences\n", "Licences\n3. Tugs\n(1) A tug is lit at night.\n(2) A tug carries a horn.\n")
    days: dict[str, Any] = {"title": "Ports Act 2010", "version_of": act.pk}
    second = take_in(tmp_path, text, valid_from=DAY, **days)
    text = text.replace("3. Tugs", "3.1. Tugs").replace("4. Licence", "4. Licence to moor")
    third = take_in(tmp_path, text, valid_from=Day("2026-01-01"), **days)
    work(longest_s=60)
    with CaptureQueriesContext(connection) as of_two:
        told = others_of(second)
    with CaptureQueriesContext(connection) as of_three:
        later = others_of(third)
    assert len(of_three) == len(of_two)  # however many versions there are
    new = f"sec_3@source-{second.pk}"
    assert {eid: told[eid] for eid in ("sec_3", "sec_4", "sec_5", "sec_6", "sec_8")} == {
        "sec_3": new,
        "sec_4": "sec_3",
        "sec_5": "sec_4",
        "sec_6": "sec_5",
        "sec_8": "sec_7",
    }
    assert told["sec_3__subsec_1"] == f"{new}__subsec_1"
    assert told["sec_4__subsec_1"] == "sec_3__subsec_1"
    assert (later["sec_3-1"], later["sec_4"]) == (new, "sec_3")  # as it was known in the version in which it came
