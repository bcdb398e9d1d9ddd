"""The title that a document is proposed."""

import pytest

from law.metadata.head import HeadPage
from law.metadata.kind import find_case
from law.metadata.lines import lines_of
from law.metadata.title import find_title


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Lighthouses Act¹", "Lighthouses Act"),
        ("Lighthouses Act¹ 2031", "Lighthouses Act 2031"),
        ("Lighthouses (Keepers’ Dues) Regulations 2031¹,²", "Lighthouses (Keepers’ Dues) Regulations 2031"),
        ("Lighthouses Regulations*", "Lighthouses Regulations"),
        ("Lighthouses Regulations†‡", "Lighthouses Regulations"),
        ("Lighthouses Act[1]", "Lighthouses Act"),
        ("Lighthouses Act ⁽¹⁾", "Lighthouses Act"),
        ("חוק המגדלורים*", "חוק המגדלורים"),
        ('חוק המגדלורים¹, התשצ"א–2031', 'חוק המגדלורים, התשצ"א–2031'),
        ('תקנות המגדלורים, התש"ף¹', 'תקנות המגדלורים, התש"ף'),
        ("צו המגדלורים** (אגרות)", "צו המגדלורים (אגרות)"),
    ],
)
def test_title_has_no_marks_of_notes_and_its_quote_does(line: str, title: str) -> None:
    found = find_title(lines_of([HeadPage(1, f"{line}\n1. A lighthouse is lit at dusk.")]))
    assert found
    assert found.value == title
    assert found.quote in line


@pytest.mark.parametrize(
    "title",
    ["Plots under 500 m² (Levy) Act", "Limits of 10⁶ Tonnes Rules", "L*STAR Act", 'צו השטח (500 מ"ר²)', "חוק 5 מ²"],
)
def test_powers_and_stars_of_a_name_stay(title: str) -> None:
    found = find_title(lines_of([HeadPage(1, f"{title}\n1. It is lit at dusk.")]))
    assert found
    assert found.value == title


def test_parties_of_a_judgment_have_no_marks_of_notes() -> None:
    text = "In the High Court of Justice\nCase No. 14/31\nLamplighters Ltd* v Keeper¹\nJudgment"
    found = find_case(lines_of([HeadPage(1, text)]))
    assert found
    assert found.title
    assert found.title.value == "Lamplighters Ltd v. Keeper"
