"""Acts in other languages, which English and Hebrew texts cite by their short names: never sections of the text."""

import pytest

from tests.law.references.mentioned import sections, shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("§ 433 BGB", "§ 433 BGB → BGB 433"),
        ("§ 5 Abs. 2 EStG", "§ 5 Abs. 2 EStG → EStG 5(2)"),
        ("§ 5 Abs. 1 S. 2 Nr. 3 KSchG", "§ 5 Abs. 1 S. 2 Nr. 3 KSchG → KSchG 5(1)(2)(3)"),
        ("Art. 5 GG", "Art. 5 GG → GG 5"),
        ("Art. 5 I GG", "Art. 5 I GG → GG 5"),
        ("Art. 6:162 BW", "Art. 6:162 BW → BW 6:162"),
        ("art. 3 Code civil", "art. 3 Code civil → Code civil 3"),
        ("Article 4 du Code civil", "Article 4 du Code civil → Code civil 4"),
        ("Art. L. 121-1 du Code de la consommation", (
            "Art. L. 121-1 du Code de la consommation → Code de la consommation L.121-1")),
        ("Art. L214-1 du Code rural", "Art. L214-1 du Code rural → Code rural L214-1"),
        ("Article R121-1-2 du Code du travail", "Article R121-1-2 du Code du travail → Code du travail R121-1-2"),
        ("art. 3 de la Constitution", "art. 3 de la Constitution → Constitution 3"),
        ("art. 3 cod. civ.", "art. 3 cod. civ. → cod. civ. 3"),
        ("art. 3 C. civ.", "art. 3 C. civ. → C. civ. 3"),
        ("art. 5, LVI, da Constituição Federal", "art. 5, LVI, da Constituição → Constituição 5"),
        ("art. 5 Cost.", "art. 5 Cost. → Cost. 5"),
        ("art. 2 c.p.c.", "art. 2 c.p.c. → c.p.c. 2"),
        ("art. 5 del Código Civil", "art. 5 del Código Civil → Código Civil 5"),
        ("Article 5 of the Spanish Código Civil", "Article 5 of the Spanish Código Civil → Código Civil 5"),
        ("Art. 7 Minpō", "Art. 7 Minpō → Minpō 7"),
        ("Section 5 Cr.P.C.", "Section 5 Cr.P.C. → Cr.P.C. 5"),
        ("Article 5 of the Civil Code of Japan", "Article 5 of the Civil Code of Japan → Civil Code of Japan 5"),
        ("Article 3 of the Bern Convention on the Law of Piers", (
            "Article 3 of the Bern Convention on the Law of Piers → Bern Convention on the Law of Piers 3")),
        ("סעיף 5 ל-BGB", "סעיף 5 ל-BGB → BGB 5"),
    ],
)  # fmt: skip
def test_a_section_of_a_foreign_act_is_of_that_act(text: str, found: str) -> None:
    whole, placed = sections(f"As {text} says.", "Other.", "Other.", "Other.", "Other.")
    assert shown(whole, placed, title="Pier Act 2020") == [found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the Pier Code of Atlantis and Section 5", ["Pier Code of Atlantis → Pier Code of Atlantis"]),
        ("the Pier Charter of Rights and Freedoms", [
            "Pier Charter of Rights and Freedoms → Pier Charter of Rights and Freedoms"]),
        ("the Pier Act of the U.A.E. is old", ["Pier Act of the U.A.E. → Pier Act of the U.A.E."]),
        ("M.G.L. c. 93A, § 2", ["M.G.L. c. 93A → M.G.L. c. 93A", "§ 2 → M.G.L. c. 93A 2"]),
    ],
)  # fmt: skip
def test_the_land_of_an_act_is_part_of_its_name(text: str, found: list[str]) -> None:
    assert shown(text)[: len(found)] == found


@pytest.mark.parametrize(
    "text",
    [
        "as Art. 5 above", "Article 5 OF THIS ACT", "Art. 5 et seq.", "§ 5 No", "Article 5 The owner", "§ 5 II",
        "art. 5 cf. others", "Art. 5 EU Member", "art. 5 e.g. this", "§ 5 OR § 4",
    ],
)  # fmt: skip
def test_words_behind_a_section_name_no_foreign_act(text: str) -> None:
    whole, placed = sections(f"see {text} here.", "Other.", "Other.", "Other.", "Other.")
    assert {one.split(" → ")[1] for one in shown(whole, placed, title="Pier Act 2020")} <= {"here 5", "here 4"}
