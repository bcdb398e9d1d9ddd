"""Judgments and circulars as texts cite them: by numbers, by reports, and paragraphs of them."""

import pytest

from tests.law.references.mentioned import shown


@pytest.mark.parametrize(
    "identifier",
    [
        "[2031] UKSC 5", "[2031] EWCA Civ 77", "[2031] EWHC 9 (Admin)", "[2031] 1 WLR 12", "[2029] 2 AC 410",
        "(1988) 87 Cr App R 12", "(2019) 266 CLR 129", "(2031) 5 SCC 12", "2031 SCC 12", "2031 ONCA 5",
        "2031 CanLII 881", "2030 SLT 22", "2031 (2) SA 45 (CC)", "AIR 2031 SC 5", "2031 SCC OnLine Del 77",
        "347 U.S. 483", "410 F. Supp. 2d 1", "512 F.3d 88", "139 S. Ct. 1804", "41 Cal. 4th 77", "12 N.Y.2d 340",
        "88 Fed. Reg. 12345", "1155 U.N.T.S. 331", "No. 21-cv-1234", "ECLI:EU:C:2031:12", "32016R0679",
        "OJ L 12, 3.4.2031, p. 5", "OJ C 326/47", "BVerfGE 7, 198", "BGE 140 III 115", "EU:C:2031:9",
        "Civil Appeal No. 55 of 2030", "VI ZR 12/20", "n° 20-12.345", "S/RES/1373",
        'ע"א 1234/31', 'בג"ץ 45/30', 'ת"א (ת"א) 1234-05-31', 'פ"ד לא(2) 123', "תק-על 2031(1) 77",
    ],
)  # fmt: skip
def test_a_judgment_is_read_as_it_is_reported(identifier: str) -> None:
    prefix = "ב" if "א" <= identifier[0] <= "ת" else "ב־"
    for text in (f"See {identifier}.", f"as held in {identifier}, and elsewhere", f"כך {prefix}{identifier}, ועוד"):
        assert shown(text) == [f"{identifier} → {identifier}"]


@pytest.mark.parametrize(
    "text",
    [
        "62 Stat. 673", "12 Jan. 2031", "5 Sch. 2", "in 2031 USD 500 were", "2031 IFRS 16", "the 2031 PART 4",
        "[2031] Part 5", "(2031) 12 May 5", "5 Reg. 2031", "the year 2031 (2) and 45", "AND/OR", "and/or/2031",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_report_is_none(text: str) -> None:
    assert [one for one in shown(text) if one.split(" → ")[1].startswith(text[:4])] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Case C-131/12, paragraph 45", ["Case C-131/12 → Case C-131/12", "paragraph 45 → Case C-131/12 45"]),
        ("R v Roe, 2031 SCC 12, at para. 40", ["2031 SCC 12 → 2031 SCC 12", "para. 40 → 2031 SCC 12 40"]),
        ("[2031] UKSC 4, at [25]", ["[2031] UKSC 4 → [2031] UKSC 4", "25 → [2031] UKSC 4 25"]),
        ("2030 (5) SA 1 (SCA) para 9", [
            "2030 (5) SA 1 (SCA) → 2030 (5) SA 1 (SCA)", "para 9 → 2030 (5) SA 1 (SCA) 9"]),
        ("2031 SCC 12 section 9", ["2031 SCC 12 → 2031 SCC 12", "section 9 → ? 9"]),
        ("[2031] UKSC 4. Paragraph 9", ["[2031] UKSC 4 → [2031] UKSC 4", "Paragraph 9 → ? 9"]),
        ("Case C-1/31, Article 5 of the Pier Act 1998", [
            "Case C-1/31 → Case C-1/31", "Article 5 of the Pier Act 1998 → Pier Act 1998 5"]),
        ('ע"א 9/30 נמל נ\' רונן (פורסם בנבו), פסקה 12', ['ע"א 9/30 → ע"א 9/30', 'פסקה 12 → ע"א 9/30 12']),
        ('ע"א 9/30 לוי נ\' כהן, פס\' 14 לפסק דינו', ['ע"א 9/30 → ע"א 9/30', "פס' 14 → ע\"א 9/30 14"]),
        ('ע"א 9/30, פ"ד לא(2) 5', ['ע"א 9/30 → ע"א 9/30', 'פ"ד לא(2) 5 → פ"ד לא(2) 5']),
        ("סעיף 5 לחוזר ביטוח 2031-1-7", ["סעיף 5 לחוזר ביטוח 2031-1-7 → חוזר ביטוח 2031-1-7 5"]),
        ("section 5 of Circular 2031-1-7", ["section 5 of Circular 2031-1-7 → Circular 2031-1-7 5"]),
        ("Applications nos. 12/10 and 13/11", [
            "Applications nos. 12/10 → Applications nos. 12/10", "13/11 → Applications nos. 13/11"]),
        ('ע"א 12/30 ו-13/30, 1.2.2031', ['ע"א 12/30 → ע"א 12/30', '13/30 → ע"א 13/30']),
        ("Regulation (EU) 2031/12 (OJ L 12, p. 5)", ["Regulation (EU) 2031/12 → Regulation (EU) 2031/12"]),
    ],
)  # fmt: skip
def test_paragraphs_and_lists_are_of_their_judgment(text: str, found: list[str]) -> None:
    assert shown(text, kind="caselaw") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("42 U.S.C. § 1983; Id. § 1988(b)", ["42 U.S.C. § 1983 → 42 U.S.C. 1983", "§ 1988(b) → 42 U.S.C. 1988(b)"]),
        ("Pier Act 1998, s 5; ibid s 8", [
            "Pier Act 1998 → Pier Act 1998", "s 5 → Pier Act 1998 5", "s 8 → Pier Act 1998 8"]),
        ("Pier Act 1998, s 5. Section 6 ibid is narrow", [
            "Pier Act 1998 → Pier Act 1998", "s 5 → Pier Act 1998 5", "Section 6 ibid → Pier Act 1998 6"]),
        ("סעיף 5 לחוק הגנים, התשמ״ג–1983. שם, סעיף 7", [
            "סעיף 5 לחוק הגנים, התשמ״ג–1983 → חוק הגנים, התשמ״ג–1983 5", "סעיף 7 → חוק הגנים, התשמ״ג–1983 7"]),
        ("Pier Act 1998, s 5. Roe, op. cit., section 9", [
            "Pier Act 1998 → Pier Act 1998", "s 5 → Pier Act 1998 5", "section 9 → ? 9"]),
        ("s 5 of the Pier Act 1998, the Kiln Act 1999, and section 5 above", [
            "s 5 of the Pier Act 1998 → Pier Act 1998 5", "Kiln Act 1999 → Kiln Act 1999",
            "section 5 → Pier Act 1998 5"]),
        ("לפי חוק הגנים, התשמ״ג–1983, וסעיף 5 לעיל", [
            "חוק הגנים, התשמ״ג–1983 → חוק הגנים, התשמ״ג–1983", "וסעיף 5 → ? 5"]),
        ("the Pier Act 1998; section 7 of the above-mentioned Act", [
            "Pier Act 1998 → Pier Act 1998", "section 7 of the above-mentioned Act → Pier Act 1998 7"]),
    ],
)  # fmt: skip
def test_what_was_cited_before_is_cited_again(text: str, found: list[str]) -> None:
    assert shown(text, kind="caselaw") == found


def test_the_notes_of_publishers_say_ibid_of_nothing_known() -> None:
    assert shown("Subs. by the Pier Act 1998. 2. Ins. by s. 6, ibid.", kind="law")[-1] == "s. 6, ibid → ? 6"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Paragraph 18 of [2031] QMCA Civ 26 was", "[2031] QMCA Civ 26 18"),
        ("paragraph 50 of 2031 SCC 65 was", "2031 SCC 65 50"),
        ("paragraph 6 of AIR 2031 SC 597 was", "AIR 2031 SC 597 6"),
        ("paragraph 12 of 2031 (4) SA 593 (SCA) is", "2031 (4) SA 593 (SCA) 12"),
        ('פסקה 7 לפ"ד נז(1) 250 עוסקת', 'פ"ד נז(1) 250 7'),
    ],
)
def test_a_paragraph_is_of_the_report_that_it_goes_on_with(text: str, found: str) -> None:
    assert [one.split(" → ")[1] for one in shown(text, kind="")] == [found]
