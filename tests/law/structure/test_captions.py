"""Where the caption of a judgment ends, and its text begins."""

import pytest

from law.structure.captions import caption_length

HEADING, SECTION = "heading", "section"


@pytest.mark.parametrize(
    ("title", "headings", "length"),
    [
        (
            "Oren Ltd v. Dalia Sharvit",
            ["IN THE MAGISTRATES' COURT AT HAIFA", "Oren Ltd v. Dalia Sharvit", "Summary"],
            2,
        ),
        ("[2022] EWHC 1148", ["Royal Courts of Justice", "London", "Date: 4 May", "COSTS JUDGE ROWLEY"], 4),
        ("Marshall v IDEA", ["IN THE HUMAN RIGHTS REVIEW TRIBUNAL", "INTRODUCTION"], 1),
        ("רימון נ' אשכולי", ["בית־משפט השלום בירושלים", "רימון נ' אשכולי", "תקציר"], 2),
        ("רימון נ' אשכולי", ["תקציר", "העובדות"], 0),
        ("Oren Ltd v. Dalia Sharvit", [], 0),
    ],
)
def test_headings_up_to_the_last_that_names_a_court_or_a_party(title: str, headings: list[str], length: int) -> None:
    found = [(HEADING, "", one) for one in headings]
    assert caption_length([*found, (SECTION, "1", "")], title=title) == length


def test_nothing_behind_the_first_paragraph_is_of_it() -> None:
    found = [(SECTION, "1", ""), (HEADING, "", "The judgment of the court below")]
    assert caption_length(found, title="Oren Ltd v. Dalia Sharvit") == 0
