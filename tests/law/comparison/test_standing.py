"""What became of quotes: what is told apart without a database."""

from datetime import date

import pytest

from law.comparison.defined_terms import definitions, redefined
from law.comparison.provision_texts import ProvisionText
from law.comparison.standing import StandingReader, VersionTexts, quote_stands
from law.structure.provisions import ProvisionKind

DAYS = [date(2020, 1, 1), date(2021, 1, 1), date(2022, 1, 1)]
LAMPS = "Lamps on the pier are lit at dusk by the keeper."


def section(number: str, text: str) -> ProvisionText:
    return ProvisionText(f"sec_{number}", f"{number}. {text}", eid=f"sec_{number}", number=f"{number}.")


def path(*versions: list[ProvisionText]) -> list[VersionTexts]:
    return [VersionTexts(place, day, texts) for place, (day, texts) in enumerate(zip(DAYS, versions, strict=False))]


@pytest.mark.parametrize(
    "text", ["[Repealed, 2019, c. 2]", "Repealed by Act 7 of 2010.", "Deleted [2021, c. 1].", "(בוטל)", "* * *"]
)
def test_a_stub_is_gone(text: str) -> None:
    assert section("9", text).is_repealed


@pytest.mark.parametrize("text", ["Repealed enactments continue to apply to whoever was licensed.", LAMPS])
def test_other_texts_are_not(text: str) -> None:
    assert not section("9", text).is_repealed


def test_what_was_changed_and_changed_back_stands() -> None:
    back = path([section("1", LAMPS)], [section("1", LAMPS.replace("dusk", "five"))], [section("1", LAMPS)])
    reader = StandingReader(lambda text: [])
    assert reader.read(back[:2], "sec_1").since == DAYS[1]
    assert reader.read(back, "sec_1").status == "stands"


def test_the_day_is_that_of_what_it_is_now() -> None:
    gone = path(
        [section("1", LAMPS)], [section("1", LAMPS.replace("dusk", "five"))], [section("1", "[Repealed, 2022, c. 1]")]
    )
    found = StandingReader(lambda text: []).read(gone, "sec_1")
    assert (found.status, found.since) == ("repealed", DAYS[2])


@pytest.mark.parametrize("stub", ["[Repealed, 2022, c. 1]", "(בוטל)"])
def test_a_stub_at_the_old_number_does_not_hide_where_it_stands(stub: str) -> None:
    one = section("1", LAMPS)
    moved = path([one, section("2", stub)], [section("1", stub), section("2", stub), section("3", LAMPS)])
    reader = StandingReader(lambda text: [])
    found = reader.read(moved, "sec_1")
    assert (found.status, found.now and found.now.eid, found.since) == ("renumbered", "sec_3", DAYS[1])
    alone = StandingReader(lambda text: []).read(path([one], [section("1", stub)]), "sec_1")
    assert alone.status == "repealed"


@pytest.mark.parametrize("stub", ["[Repealed, 2022, c. 1]", "[Transferred]", "(הועבר לסעיף 7)"])
def test_a_short_text_is_known_behind_a_stub_by_most_of_its_words(stub: str) -> None:
    one, reworded = section("1", LAMPS), section("7", LAMPS.replace("dusk", "six"))
    other = section("7", "Lamps on the pier that nobody lit are taken away by the guild at noon.")
    bells = [section("2", "Boats have a bell."), section("3", "Nets are dried on the mole by the guild.")]
    for later, eid in ((reworded, "sec_7"), (other, "")):
        found = StandingReader(lambda text: []).read(path([one, *bells], [section("1", stub), *bells, later]), "sec_1")
        assert (found.now.eid if found.status == "renumbered" and found.now else "") == eid


def test_a_short_newcomer_at_the_old_number_does_not_hide_where_it_stands() -> None:
    before = [section("1", LAMPS), section("2", "Boats have a bell, which the keeper rings twice in any fog.")]
    fewer = LAMPS.replace("keeper", "warden")
    after = [
        section("1", "Each boat shows a white flag."),
        section("2", fewer),
        section("3", before[1].text.removeprefix("2. ")),
    ]
    reader = StandingReader(lambda text: [])
    for eid, now in (("sec_1", "sec_2"), ("sec_2", "sec_3")):
        found = reader.read(path(before, after), eid)
        assert (found.status, found.now and found.now.eid) == ("renumbered", now)
    recast = path([section("1", LAMPS)], [section("1", "Each boat shows a white flag.")])
    assert StandingReader(lambda text: []).read(recast, "sec_1").status == "changed"


@pytest.mark.parametrize("stub", ["(בוטל)", "[Repealed by section 12 of the Harbour Dues Act, 2019]"])
def test_two_equal_placeholders_are_two(stub: str) -> None:
    one, other = section("1", stub), section("2", stub)
    found = StandingReader(lambda text: []).read(path([one], [other]), "sec_1")
    assert (found.status, found.now) == ("repealed", None)


def test_what_was_put_into_another_provision_is_found_by_the_quote() -> None:
    other = (
        "Boats have a bell. Lamps on the pier are lit at dusk by the keeper. Nets are dried, and nobody bathes here."
    )
    merged = path([section("1", LAMPS), section("2", "Boats have a bell.")], [section("2", other)])
    found = StandingReader(lambda text: []).read(merged, "sec_1", quote="on the pier are lit at dusk by the keeper")
    assert (found.status, found.now and found.now.eid, found.reworded) == ("renumbered", "sec_2", True)


def test_the_second_half_of_a_divided_section_is_found_by_the_quote() -> None:
    bell = "A boat that leaves the pier at night has a bell of brass at its bow."
    whole, parted = [section("1", f"{LAMPS} {bell}")], [section("1", LAMPS), section("2", bell)]
    found = StandingReader(lambda text: []).read(path(whole, parted), "sec_1", quote="has a bell of brass at its bow")
    assert (found.status, found.now and found.now.eid, found.quote_stands) == ("renumbered", "sec_2", True)


def test_a_quote_may_leave_words_out() -> None:
    assert quote_stands("2. Lamps … at dusk", section("2", LAMPS))
    assert not quote_stands("Lamps … at dawn", section("2", LAMPS))
    assert not quote_stands("", section("2", LAMPS))


def test_definitions_are_compared_term_by_term() -> None:
    before = definitions(
        'In this Act:\n"pier" means the old pier;\nkeeper means\n(a) a person;\n(b) a guild;\nMole [Repealed]'
    )
    after = definitions('In this Act:\n"pier" means the old pier.\nkeeper means\n(a) a person;\n(b) a port;')
    assert [term for term, _ in before.values()] == ["pier", "keeper"]
    assert redefined(LAMPS, before, after) == ["keeper"]
    assert redefined("Boats have a bell.", before, after) == []


def test_a_definition_that_moved_is_compared_where_it_stands_now() -> None:
    others = '"pier" means the old pier;\n"mole" means the new one;'
    kept, recast = ('"keeper" means a person.', '"keeper" means a person whom the guild names.')
    first = [section("1", f"In this Act:\n{others}\n{kept}"), section("2", LAMPS), section("3", "Boats have a bell.")]
    for moved, status in ((kept, "stands"), (recast, "definition_changed")):
        later = [section("1", f"In this Act:\n{others}"), *first[1:], section("4", f"In this Part:\n{moved}")]
        found = StandingReader(lambda text: []).read(path(first, later), "sec_2")
        assert (found.status, found.terms) == (status, ("keeper",) if moved == recast else ())
        assert StandingReader(lambda text: []).read(path(first, later), "sec_3").status == "stands"


@pytest.mark.parametrize(
    ("opening", "holds"),
    [
        ("The following definitions apply in this Part.", True),
        ("The following definitions apply in this section and sections 5 to 9.", True),
        ("In this section,", False),
        ("For the purposes of subsection (2),", False),
        ("בפרק זה –", True),
        ("בסעיף זה –", False),
        ("בסעיף זה ובסעיף 5 –", True),
    ],
)
def test_terms_of_a_part_hold_in_it_alone(opening: str, holds: bool) -> None:
    def parts(warden: str) -> list[ProvisionText]:
        part = ProvisionText("part_2", "Part 2", eid="part_2", number="2", kind=ProvisionKind.PART)
        others = f'"buoy" means a float;\n"keeper" means {warden}.'
        own = section("4", f"{opening}\n{others}")
        most = 'In this Act:\n"mole" means a wall;\n"quay" means a road;\n"dock" means a basin.'
        return [section("1", most), section("2", LAMPS), part, own, section("5", LAMPS)]

    versions = path(parts("a person"), parts("a person whom the guild names"))
    reader = StandingReader(lambda text: [])
    found = [reader.read(versions, eid) for eid in ("sec_2", "sec_5")]
    assert [one.status == "definition_changed" for one in found] == [False, holds]
    assert found[1].terms == (("keeper",) if holds else ())


def test_a_term_within_a_name_is_not_in_use() -> None:
    before, after = (definitions(f'In this Act, "harbour tribunal" means a body in Schedule {n}.') for n in (1, 2))
    for used, is_used in (
        ("This Act may be cited as the Harbour Tribunals Support Service Act.", False),
        ("The Harbour Tribunals Support Service helps each harbour tribunal.", True),
        ("1. Harbour tribunals", True),
        ("Harbour tribunals sit in public.", True),
        ("Powers of Harbour Tribunals\nThey sit in public.", True),
    ):
        assert redefined(used, before, after) == (["harbour tribunal"] if is_used else []), used
    named, renamed = (definitions(f'In this Act, "Minister" means the Minister of {of}.') for of in ("Ports", "Roads"))
    assert redefined("The Minister May Act.", named, renamed) == ["Minister"]


def test_a_subsection_below_is_not_of_a_definition() -> None:
    for defined, first, second in (
        ('(1) In this Act,\n"lamp" means\n(a) a light;\n(b) a fire.', "\n(2) Lamps are lit.", "\n(2) [Repealed]"),
        ("(א) בחוק זה –\n”נר“ – כל אחד מאלה:\n(1) אש;\n(2) אור.", "\n(ב) נר יודלק.", "\n(ב) (נמחק)."),
        ('(1) In this Act,\n"lamp" means a light.', "\n(2) Lamps are lit.", ""),
    ):
        used = "Lamps, נר, on the pier."
        assert redefined(used, definitions(defined + first), definitions(defined + second)) == []
        other = defined.replace("fire", "fire or a torch").replace("אור", "אור או לפיד").replace("a light.", "a beam.")
        assert redefined(used, definitions(defined + first), definitions(other + first))
