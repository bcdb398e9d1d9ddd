"""Acts as different countries print them: which numbers are sections, and which lines head them."""

import random
from collections.abc import Callable
from itertools import chain

import pytest

from extraction import Page
from law.structure.lines.document_lines import lines
from law.structure.provisions import Outline, ParsedProvision, ProvisionKind
from law.structure.recogniser import Recogniser

TEXT = "The keeper of a kennel shall feed every dog twice a day."


def provisions(text: str, *, statutory: bool = True) -> list[ParsedProvision]:
    outline = Outline()
    pages = [Page(number=None, paragraphs=tuple(text.strip().split("\n")))]
    for _ in outline.follow(Recogniser(statutory=statutory).units(lines(pages))):
        pass
    return outline.provisions


def sections(text: str, *, statutory: bool = True) -> list[tuple[str, str]]:
    """Numbers and headings."""
    kinds = {ProvisionKind.SECTION, ProvisionKind.PARAGRAPH}
    return [(one.number, one.heading) for one in provisions(text, statutory=statutory) if one.kind in kinds]


EXPECTED = [("1", "Short title"), ("2", "Feeding of dogs"), ("2A", "Water"), ("3", "Offences")]
STYLES = {
    "United Kingdom": f"""
Kennels Act 2031
Keeping of dogs
1 Short title
This Act may be cited as the Kennels Act 2031.
2 Feeding of dogs
(1) {TEXT}
(2) 14 days after a sale the buyer has that duty.
Water
2A Water
{TEXT}
3 Offences
(1) Who breaks section 2 commits an offence.""",
    "a statutory instrument": f"""
The Kennels Regulations 2031
Made
1st May 2031
The Minister makes these Regulations:
PART 1
General
Short title
1.—(1) These Regulations may be cited as the Kennels Regulations 2031.
(2) They come into force on 2nd May 2031.
Feeding of dogs
2. {TEXT}
Water
2A.-(1) {TEXT}
Offences
3.—{TEXT}""",
    "Ireland": f"""
KENNELS ACT 1931
ARRANGEMENT OF SECTIONS
Section
1. Short title.
2. Feeding of dogs.
2A. Water.
3. Offences.
Short title.
1.—This Act may be cited as the Kennels Act 1931.
Feeding of dogs.
2.—(1) {TEXT}
Water.
2A.— {TEXT}
Offences.
3. (1) {TEXT}""",
    "India": f"""
THE KENNELS ACT, 1931
ARRANGEMENT OF SECTIONS
SECTIONS
1. Short title.
2. Feeding of dogs.
2A. Water.
3. Offences.
1. Short title.—(1) This Act may be called the Kennels Act, 1931.
(2) It extends to the whole of the island.
1. Subs. by Act 4 of 1940, s. 2, for "the island" (w.e.f. 1-1-1941).
2. Feeding of dogs.—{TEXT}
1. The words "or cat" omitted by Act 4 of 1940, s. 3 (w.e.f. 1-1-1941).
2A. Water.—(1) {TEXT}
1. Ins. by Act 9 of 1950, s. 2.
3. Offences.—Whoever breaks section 2 shall pay a fine.""",
    "the United States, a bill": f"""
KENNELS ACT OF 2031
Be it enacted by the Council of the island in Congress assembled,
SECTION 1. SHORT TITLE.
This Act may be cited as the “Kennels Act of 2031”.
SEC. 2. [7 I.C. 12] FEEDING OF DOGS.
(a) In General.— {TEXT}
SEC. 2A. WATER.
{TEXT}
SEC. 3. OFFENCES.
{TEXT}""",
    "European Union": f"""
REGULATION (EU) 2031/7
Whereas:
(1) Dogs are kept in kennels.
(2) They have to be fed.
Article 1
Short title
1.   This Regulation may be cited as the Kennels Regulation.
2.   It is binding.
Article 2
Feeding of dogs
1.   {TEXT}
2.   The Commission shall be told.
Article 2A
Water
{TEXT}
Article 3
Offences
{TEXT}""",
    "Israel": """
חוק הכלביות, התשצ"א–2031
1. Short title
חוק זה ייקרא חוק הכלביות.
2. Feeding of dogs
(א) בעל כלבייה יאכיל כל כלב פעמיים ביום.
(ב) אלה פטורים:
1. כלב ציד;
2. כלב רועים.
2A. Water
בעל כלבייה ייתן מים.
3. Offences
העובר על סעיף 2, דינו קנס.""",
}


@pytest.mark.parametrize("country", STYLES)
def test_sections_are_found_with_their_headings(country: str) -> None:
    found = [(number, heading.capitalize().rstrip(".")) for number, heading in sections(STYLES[country])]
    assert found == EXPECTED


@pytest.mark.parametrize("country", ["a statutory instrument", "Ireland", "European Union", "India"])
def test_heading_belongs_to_its_section_wherever_it_is_printed(country: str) -> None:
    text = STYLES[country].strip()
    [feeding] = [one for one in provisions(text) if one.kind is ProvisionKind.SECTION and one.number == "2"]
    own = text[feeding.start : feeding.end]
    assert "Feeding of dogs" in own
    assert "Short title" not in own
    assert "Water" not in own


@pytest.mark.parametrize(
    ("numbers", "form"),
    [
        (["2–101", "2–102", "2–1002", "2–1002.01"], "§ {}. Heading."),
        (["1072.101", "1072.102", "1072.105", "1072.200"], "§ {} Heading."),
        (["1", "2", "2a", "3"], "§{}. Heading"),
        (["6", "6bis", "6ter", "7"], "{}. Heading"),
        (["3", "3-A", "3-B", "4"], "{}. Heading"),
        (["11.09", "11.1", "11.11", "11.2"], "{} Heading"),
        (["2.1", "2.2", "2.10", "3.1"], "{} Heading"),
        (["1008.1", "1008.3", "1008.20", "1008.23", "1008.101", "1008.103"], "§ {} Heading."),
        (["226.1", "226.3", "226.20", "226.23", "226.101"], "§ {} Heading."),
        (["2A.2.1R", "2A.2.2R", "2A.2.3G"], "{} Heading"),
    ],
)
def test_numbers_of_many_kinds_are_read_whole(numbers: list[str], form: str) -> None:
    text = "\n".join(chain.from_iterable((form.format(number), TEXT) for number in numbers))
    assert [number for number, _ in sections(f"The Act\n{text}")] == numbers


def test_paragraphs_of_a_judgment_in_square_brackets() -> None:
    head = "THE TRIBUNAL\n[2031] ISL 7\n"
    text = f"{head}[1] The claimant keeps dogs.\nBackground\n[2] She was fined.\n[2.1] Twice.\n[3] I agree."
    assert [number for number, _ in sections(text, statutory=False)] == ["1", "2", "2.1", "3"]


def test_a_bare_annex_below_a_schedule_is_a_part_of_it() -> None:
    annex = ["Annex", "DECLARATION ON PIERS", "Article 1", "A pier is open.", "Article 2", "A pier is lit."]
    text = "\n".join(["The Act", f"1 Heading\n{TEXT}", f"2 Heading\n{TEXT}"])
    held = provisions("\n".join([text, "SCHEDULE", "(Section 2)", "Resolution on piers", *annex]))
    assert [one.eid for one in held if one.kind is ProvisionKind.ITEM] == ["sched__item_1", "sched__item_2"]
    alone = provisions("\n".join([text, *annex]))
    assert [one.eid for one in alone if one.kind is ProvisionKind.ITEM] == ["annex__item_1", "annex__item_2"]


@pytest.mark.parametrize(
    "amid",
    [
        ["PART II", "Supplementary Provisions"],
        ["ANNEX", "List of keys"],
        ["Annex", "to this Act each month."],
        ["Explanatory Note", "This section says what a dog is."],
    ],
)
def test_what_opens_nothing_amid_the_sections_keeps_them(amid: list[str]) -> None:
    before, after = ([f"{number}. {TEXT}" for number in numbers] for numbers in (range(1, 5), range(5, 9)))
    schedule = ["SCHEDULE", "1. A dog.", "2. A cat."]
    found = provisions("\n".join(["The Act", "PART I", "Licences", *before, *amid, *after, *schedule]))
    assert [one.eid for one in found if one.kind is ProvisionKind.SECTION] == [
        f"sec_{number}" for number in range(1, 9)
    ]
    assert [one.eid for one in found if one.kind is ProvisionKind.ITEM] == ["sched__item_1", "sched__item_2"]


@pytest.mark.parametrize(
    ("first", "second"), [("SCHEDULE", "ADDENDA"), ("ANNEX A", "SCHEDULE"), ("ADDENDA", "SCHEDULE")]
)
def test_one_schedule_stands_behind_another(first: str, second: str) -> None:
    items = ["1. A dog is fed.", "2. A cat is fed."]
    found = provisions("\n".join(["The Act", *(f"{n}. {TEXT}" for n in range(1, 5)), first, *items, second, *items]))
    assert len([one for one in found if one.kind is ProvisionKind.SCHEDULE]) == 2
    assert [one.number for one in found if one.kind is ProvisionKind.SECTION] == ["1", "2", "3", "4"]


def test_paragraphs_that_go_on_below_lettered_headings_are_the_numbers() -> None:
    text = ["A. Background", "A.1 Facts", "1. It rained.", "2. It was cold.", "B. Law", "B.1 Duty", "3. There is one."]
    text += [
        "B.2 Breach",
        "4. There is one too.",
        "C. Conclusion",
        "C.1 Costs",
        "5. None.",
        "C.2 Order",
        "6. Dismissed.",
    ]
    found = [number for number, _ in sections("\n".join(["A judgment", *text]), statutory=False)]
    assert found == ["1", "2", "3", "4", "5", "6"]


def test_name_of_a_schedule_amid_the_sections_is_no_schedule() -> None:
    before = [f"{number} Heading\n{TEXT}" for number in range(1, 10)]
    after = [f"{number} Heading\n{TEXT}" for number in range(10, 16)]
    schedule = ["SCHEDULE 1", "(Section 4)", "1 Heading", "A dog.", "2 Heading", "A cat."]
    found = provisions("\n".join(["The Act", *before, "Schedule 5", *after, *schedule]))
    assert [one.number for one in found if one.kind is ProvisionKind.SECTION] == [
        str(number) for number in range(1, 16)
    ]
    assert [one.number for one in found if one.kind is ProvisionKind.ITEM] == ["1", "2"]


def test_numbering_that_begins_anew_with_each_chapter() -> None:
    chapters = [
        f"CHAPTER {chapter}\n" + "\n".join(f"{n}. Heading\n{TEXT}" for n in (1, 2, 3)) for chapter in ["I", "II", "III"]
    ]
    assert [number for number, _ in sections("The Act\n" + "\n".join(chapters))] == ["1", "2", "3"] * 3


def test_table_of_contents_without_title_is_none_of_sections() -> None:
    headings = ["Short title", "Feeding", "Water", "Offences", "Fines"]
    contents = [f"{number}. {heading}" for number, heading in enumerate(headings, 1)]
    text = chain.from_iterable((line, TEXT) for line in contents)
    assert len(sections("\n".join(["The Act", *contents, *text]))) == 5


def test_a_paragraph_that_begins_as_another_is_no_entry_beside_which_a_section_is_one() -> None:
    headings = ["Boats of owners", "Lights of boats", "Oars of boats", "Fees of owners"]
    contents = [f"SEC. 7.{number} {heading}." for number, heading in enumerate(headings, 10)]
    owner = "1. An owner of a boat shall pay the master a fee in each of the months."
    text = chain.from_iterable((line, owner, "2. The master shall ask for no other fee.") for line in contents)
    found = sections("\n".join(["The Act", *contents, *text]))
    assert [number for number, _ in found] == ["7.10", "7.11", "7.12", "7.13"]


def test_sections_printed_out_of_order_are_kept() -> None:
    text = "\n".join(f"{number}. Heading {number}\n{TEXT}" for number in (1, 2, 4, 3, 5))
    assert sorted(number for number, _ in sections(text)) == ["1", "2", "3", "4", "5"]


def inline(number: str, heading: str) -> list[str]:
    return [f"{number}. {heading}", TEXT]


def bare(number: str, heading: str) -> list[str]:
    return [f"{number} {heading}", f"(1) {TEXT}", "(2) It applies by night, too."]


def above(number: str, heading: str) -> list[str]:
    return [heading, f"{number}.—(1) {TEXT}", "(2) It applies by night, too."]


def below(number: str, heading: str) -> list[str]:
    return [f"Article {number}", heading, f"1.   {TEXT}", "2.   It applies by night, too."]


def run_in(number: str, heading: str) -> list[str]:
    return [f"{number}. {heading}.—(1) {TEXT}", "(2) It applies by night, too."]


def signed(number: str, heading: str) -> list[str]:
    return [f"§ {number}. {heading}.", f"(a) {TEXT}"]


def titled(number: str, heading: str) -> list[str]:
    return [f"SEC. {number}. {heading.upper()}. (a) {TEXT}", "(b) It applies by night, too."]


def bracketed(number: str, heading: str) -> list[str]:
    return [f"({heading})", f"Article {number} (1) {TEXT}", "(2) It applies by night, too."]


WORDS = ("Duty", "Power", "Feeding", "Water", "Keeper", "Kennel", "Inspection", "Fine", "Appeal", "Licence", "Notice")
STYLES_OF_SECTIONS = [inline, bare, above, below, run_in, signed, titled, bracketed]
# What stands below a section and is none, whatever its numbers look like
BELOW = [
    ["These are exempt:", "(i) 3 dogs of one owner;", "(ii) 12 cats."],
    ["These are exempt:", "1. dogs of one owner;", "2. cats; and", "3. fish."],
    ["[Am. by Act 12 of 2030, s. 4]"],
    ["(Added 30 of 2010 s. 2)"],
    ["He shall be liable, as provided in section", "7 of the Kennels Act, to a fine."],
    ["Kennels Act 2031", "12"],
    ["The fee for a dog is", "25 pounds."],
]


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("style", STYLES_OF_SECTIONS)
def test_an_act_printed_at_random_is_read_as_it_was_written(style: Callable[[str, str], list[str]], seed: int) -> None:
    chance = random.Random(seed)
    written: list[tuple[str, str]] = []
    body: list[str] = []
    for number in range(1, chance.randint(4, 30)):
        if chance.random() < 0.1:
            if chance.random() < 0.5:
                body.append(
                    f"{number} (Repealed by Act 7 of 2030)" if style is bare else f"[Section {number} repealed.]"
                )
                written += [(str(number), "")] if style is bare else []
            continue
        if chance.random() < 0.1:
            body += [f"PART {number}", "Provisions on kennels"]
        for letter in ("", *(["A"] if chance.random() < 0.2 else [])):
            heading = " ".join(chance.sample(WORDS, 3)).capitalize()
            written.append((f"{number}{letter}", heading))
            body += style(f"{number}{letter}", heading)
            if chance.random() < 0.3:
                body += chance.choice(BELOW)
    printed = ["Kennels Act 2031"]
    if chance.random() < 0.5:
        page = chance.choice(["", " 3", "\t3", " ....... 3"])
        printed += ["TABLE OF CONTENTS", *(f"{number}. {heading or 'Repealed'}{page}" for number, heading in written)]
    printed += ["The Council enacts:", *body]
    if chance.random() < 0.5:
        printed += ["SCHEDULE 1", "(Section 2)", "1. Dogs", "A dog of any kind.", "2. Cats", "A cat of any kind."]
    found = [(number, heading.capitalize()) for number, heading in sections("\n".join(printed))]
    assert found == written
