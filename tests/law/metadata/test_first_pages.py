"""First pages as printers of many countries set them: their title and number, and rather none than a wrong one."""

import pytest

from law.metadata.aliases import find_identifier, find_own_number
from law.metadata.head import HeadPage
from law.metadata.kind import find_case, find_kind
from law.metadata.lines import lines_of
from law.metadata.title import find_title

PAGES = [
    pytest.param(
        "English is not an official language of Atlantis. This translation has no legal force.\nFederal Act\non Hoists"
        "\n(Hoists Act, HoA)\nof 19 June 1992 (Status as of 1 March 2019)\nThe Federal Assembly decrees:\nArt. 1 Aim",
        "Federal Act on Hoists", "", id="a translation",
    ),
    pytest.param(
        "LAWS OF ATLANTIS\nMINISTRY OF LEGAL AFFAIRS\nwww.laws.example\nHOISTS ACT\nCHAPTER 46:02\nAct\n64 of 2000"
        "\nAmended by\n66 of 2000\nCurrent Authorised Pages",
        "HOISTS ACT", "CHAPTER 46:02", id="a revised edition",
    ),
    pytest.param(
        "Act on Safety of Hoists\n(Act No. 57 of May 30, 2003)\nTable of Contents\nChapter I General Provisions",
        "Act on Safety of Hoists", "Act No. 57", id="a number below the title",
    ),
    pytest.param(
        "FIRST SECTION\nCASE OF ROE v. ATLANTIS\n(Application no. 12345/07)\nJUDGMENT\nSTRASBOURG\n5 May 2011",
        "ROE v. ATLANTIS", "12345/07", id="a section of a court",
    ),
    pytest.param(
        "Cap. 486\nHOISTS (PRIVACY) ORDINANCE\nContents\nSection Page\n1. Short title 1-2",
        "HOISTS (PRIVACY) ORDINANCE", "Cap. 486", id="a chapter above the title",
    ),
    pytest.param(
        "Number 8 of 2009\nHOISTS OMBUDSMAN ACT 2009\nREVISED\nUpdated to 1 January 2020\nThis Revised Act is",
        "HOISTS OMBUDSMAN ACT 2009", "Number 8 of 2009", id="a number alone",
    ),
    pytest.param(
        "FEDERAL GAZETTE\nProclamation No. 905/2020\nA PROCLAMATION TO PROVIDE FOR HOISTS\nWHEREAS, hoists are needed;"
        "\n1. Short Title\nThis Proclamation may be cited as the “Hoists Proclamation No. 905/2020.”",
        "Hoists Proclamation No. 905/2020", "Proclamation No. 905/2020", id="a proclamation cited by its number",
    ),
    pytest.param(
        "Hoists Regulations 2021\nmade under the\nHoists Act 2015\nPart 1—Preliminary\n1  Name",
        "Hoists Regulations 2021", "", id="the act that regulations are made under",
    ),
    pytest.param(
        "חוזר מנהל כללי\nהסעת עובדים במנופים\nמספר חוזר: 0233\n1. רקע",
        "הסעת עובדים במנופים", "0233", id="who wrote a circular",
    ),
    pytest.param(
        "ניהול מנופים עמ' 412 - 1\nניהול מנופים\nפרק א': כללי\nמבוא\n1. תאגיד יבדוק כל מנוף.",
        "ניהול מנופים", "", id="a page behind the title",
    ),
    pytest.param(
        "LAW N° 22/2018 OF 29/04/2018 RELATING TO HOISTS\nWe, ROE Paul, President of Atlantis;"
        "\nTHE PARLIAMENT HAS ADOPTED AND WE PROMULGATE THE FOLLOWING LAW\nCHAPTER ONE: GENERAL PROVISIONS",
        "LAW N° 22/2018 OF 29/04/2018 RELATING TO HOISTS", "LAW N° 22/2018 OF 29/04/2018", id="a day in the title",
    ),
    pytest.param(
        "ACT\nof 7 July 1994\non Hoists\nChapter 1\nGeneral Provisions\nArticle 1. 1. This Act lays down rules.",
        "ACT of 7 July 1994 on Hoists", "", id="a title over three lines",
    ),
    pytest.param(
        "SPECIAL ISSUE\nGazette Supplement No. 181 (Acts No. 24)\nREPUBLIC OF ATLANTIS\nACTS, 2019\nCONTENT\nAct—",
        "", "", id="a gazette without a title",
    ),
    pytest.param(
        "THE EIGHT HUNDRED AND FORTY-THIRD\nACT\nOF THE PARLIAMENT OF THE REPUBLIC OF ATLANTIS\nENTITLED"
        "\nHOISTS ACT, 2012\nAN ACT to establish a Hoists Commission",
        "HOISTS ACT, 2012", "", id="an act counted in words",
    ),
    pytest.param(
        "THE GAZETTE OF ATLANTIS\nEXTRAORDINARY\nPART II — Section 1\nPUBLISHED BY AUTHORITY\nMINISTRY OF LAW"
        "\n(Legislative Department)\nThe 11th August, 2023\nTHE HOISTS ACT, 2023\n(NO. 22 OF 2023)",
        "THE HOISTS ACT, 2023", "NO. 22 OF 2023", id="a gazette with the act",
    ),
    pytest.param(
        "116TH CONGRESS\n1ST SESSION\nH. R. 1234\nTo establish hoists, and for other purposes.\nA BILL"
        "\nTo establish hoists, and for other purposes.\nSECTION 1. SHORT TITLE.\nThis Act may be cited as the “Hoists"
        " Act of 2019”.",
        "Hoists Act of 2019", "", id="a long title alone",
    ),
    pytest.param(
        "Skip to main content\nMunicipal Code\nTitle 12 - Streets and Sidewalks\n12.04.010 Permit Required",
        "Municipal Code Title 12 - Streets and Sidewalks", "", id="a site and a volume of a code",
    ),
    pytest.param(
        "The Atlantis Statutes Online\nTitle 25: Navigation and Waters\nChapter 001: Operation of Vessels",
        "Title 25: Navigation and Waters", "", id="the name of a site",
    ),
    pytest.param(
        "THE LAW REVISION ACT\nHOISTS ACT\n[Updated to 2003]\nARRANGEMENT OF SECTIONS",
        "HOISTS ACT", "", id="the act under which an edition was made",
    ),
    pytest.param(
        "United Nations A/RES/68/167\nGeneral Assembly Distr.: General\n21 January 2014\nSixty-eighth session"
        "\nAgenda item 69 (b)\nResolution adopted by the General Assembly on 18 December 2013\nThe General Assembly,",
        "", "", id="a body that resolves",
    ),
    pytest.param(
        "STATUTORY INSTRUMENTS\n2018 No. 506\nHOISTS\nThe Hoists (Safety) Regulations 2018\nMade 24th April 2018",
        "The Hoists (Safety) Regulations 2018", "2018 No. 506", id="an instrument by its year and number",
    ),
    pytest.param(
        "►B REGULATION (EU) 2031/679 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL\nof 27 April 2031\non hoists",
        "REGULATION (EU) 2031/679 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL of 27 April 2031 on hoists",
        "REGULATION (EU) 2031/679",
        id="a mark of the edition",
    ),
    pytest.param(
        "HCA 1234/2019\n[2020] HKCFI 567 (CL)\nIN THE HIGH COURT\nBETWEEN\nHOISTS LIMITED Plaintiff\nand"
        "\nROE Defendant",
        "HOISTS LIMITED v. ROE", "[2020] HKCFI 567 (CL)", id="where a judgment is printed before where it is filed",
    ),
    pytest.param(
        "רשומות\nקובץ התקנות\nעמוד\nתקנות המנופים (אגרות), התשע\"ז–2017 ..... 1432"
        "\nתקנות המנופים (אגרות), התשע\"ז–2017",
        "תקנות המנופים (אגרות), התשע\"ז–2017", "", id="the contents of a gazette",
    ),
    pytest.param(
        "EXPLANATORY MEMORANDUM TO\nTHE HOISTS (FEES) REGULATIONS 2022\n2022 No. 503\n1. Introduction",
        "EXPLANATORY MEMORANDUM TO THE HOISTS (FEES) REGULATIONS 2022", "", id="the number of what it explains",
    ),
    pytest.param(
        "30.6.2031 EN Official Journal of the European Union L 16/1\nI\n(Legislative acts)\nREGULATIONS"
        "\nREGULATION (EU) 2031/11 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL\nof 14 June 2031\non hoists in ports"
        "\n(Text with EEA relevance)",
        "REGULATION (EU) 2031/11 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL of 14 June 2031 on hoists in ports",
        "REGULATION (EU) 2031/11", id="a journal that begins with its day",
    ),
    pytest.param(
        "New Atlantis\nHoists Act 1999 No 81\nStatus information\nPart 1 Preliminary\n1 Name of Act"
        "\nThis Act is the Hoists Act 1999.",
        "Hoists Act 1999 No 81", "", id="a country above the title",
    ),
    pytest.param(
        "EXTRAORDINARY PUBLISHED BY AUTHORITY\nORDINANCE NO. XIV OF 2011\nAN\nORDINANCE\nto provide for hoists"
        "\n1. Short title.— (1) This Ordinance may be called the Hoists Ordinance, 2011.",
        "Hoists Ordinance, 2011", "ORDINANCE NO. XIV OF 2011", id="a title in its clause alone",
    ),
    pytest.param(
        "THE GOVERNMENT\nTHE REPUBLIC OF ATLANTIS\nUnity - Work\nNo. 13/2031/ND-CP\nPiers, April 17, 2031\nDECREE"
        "\nON HOISTS\nPursuant to the Law on Ports;",
        "DECREE ON HOISTS", "No. 13/2031/ND-CP", id="a genre above what it is about",
    ),
    pytest.param(
        "Federal Decree-Law No. (45) of 2031\nConcerning Hoists\nWe, the President,",
        "Federal Decree-Law No. (45) of 2031 Concerning Hoists", "Federal Decree-Law No. (45) of 2031",
        id="a number above what it is about",
    ),
    pytest.param(
        "It is hereby notified that the President has assented to the following Act:–\nAct No. 4 of 2031: Hoists"
        " Amendment Act, 2031",
        "Hoists Amendment Act, 2031", "Act No. 4 of 2031", id="a number in the line of the title",
    ),
    pytest.param(
        "WELSH STATUTORY INSTRUMENTS\n2031 No. 2303 (W. 227)\nHOISTS, WALES\nThe Hoists (Wales) Regulations 2031",
        "The Hoists (Wales) Regulations 2031", "2031 No. 2303 (W. 227)", id="a number that ends in brackets",
    ),
    pytest.param(
        "B.C. Reg. 26/58\nPorts Act\nHOISTS REGULATION\n[Last amended June 26, 2031]",
        "HOISTS REGULATION", "B.C. Reg. 26/58", id="the act above its regulation",
    ),
    pytest.param(
        "2031 Atlantis Statutes\nTitle XV\nPORTS\nChapter 227\nHOISTS\n227.01 Definitions.—As used in this chapter:",
        "2031 Atlantis Statutes Chapter 227 HOISTS", "", id="a collection and its volumes",
    ),
    pytest.param(
        "SIXTY-FIFTH LEGISLATURE OF ATLANTIS\nHOUSE BILL NO. HB0142\nAN ACT relating to hoists; providing for a fee.",
        "HOUSE BILL NO. HB0142", "", id="a bill without a short title",
    ),
    pytest.param(
        "CONSOLIDATION\nCopyright Act\nR.S.C., 1985, c. C-42\nCurrent to July 18, 2031",
        "Copyright Act", "R.S.C., 1985, c. C-42", id="an act on what pages claim",
    ),
    pytest.param(
        "חוקי עזר\nא' בניסן התשע\"ה 842 21 במרס 2015\nחוק עזר לנמל (מנופים), התשע\"ה–2015\nבתוקף סמכותה",
        "חוק עזר לנמל (מנופים), התשע\"ה–2015", "", id="a series of a gazette",
    ),
    pytest.param(
        "הצעת חוק של חבר הכנסת פלוני\nפ/25/1820\nהצעת חוק המנופים, התשפ\"ג–2023\n1. בפקודת הנמלים",
        "הצעת חוק המנופים, התשפ\"ג–2023", "פ/25/1820", id="who proposed it above the title",
    ),
    pytest.param(
        "חוזר נמלים 2019-1-7\nסיווג: כללי\nבתוקף סמכותי לפי חוק המנופים, התשמ\"א–1981, להלן הוראותיי:",
        "חוזר נמלים 2019-1-7", "2019-1-7", id="the year of another law",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "title", "number"), PAGES)
def test_a_first_page_gives_its_title_and_its_number(text: str, title: str, number: str) -> None:
    lines = lines_of([HeadPage(1, text)])
    case = find_case(lines)
    found = (case and case.title) or find_title(lines)
    kind = None if case else find_kind(lines, found)
    number_of_act = find_identifier(lines, found) or find_own_number(lines, kind.value if kind else None)
    identifier = case.identifier if case else number_of_act
    assert (found.value if found else "", identifier.value if identifier else "") == (title, number)


CAPTIONS = [
    pytest.param(
        "IN THE MAGISTRATES' COURT AT THE PIER\nA Ltd v B Ltd\nJudgment of 3 May 2025, before Judge N. Arbel-Katz",
        "IN THE MAGISTRATES' COURT AT THE PIER", ("Judge N. Arbel-Katz",), id="in the line of the day",
    ),
    pytest.param(
        "JUDGMENT\nA v B\nbefore\nLord Reed, President\nLady Black\nJUDGMENT GIVEN ON\nLord Street 5",
        "", ("Lord Reed, President", "Lady Black"), id="in lines of their own",
    ),
    pytest.param(
        "IN THE COURT OF APPEAL\nLORD JUSTICE SINGH\nMR JUSTICE HOLGATE\nA v B\nMR JUSTICE HOLGATE:",
        "IN THE COURT OF APPEAL", ("LORD JUSTICE SINGH", "MR JUSTICE HOLGATE"), id="by their office",
    ),
    pytest.param(
        "בית המשפט העליון\nפלוני נ' אלמוני\nלפני:\nכבוד השופט י' עמית\nכבוד הנשיאה א' חיות\nהמערער: פלוני",
        "בית המשפט העליון", ("כבוד השופט י' עמית", "כבוד הנשיאה א' חיות"), id="in Hebrew",
    ),
    pytest.param(
        "A v B\nBefore Midnight Ltd took over\nJustice for all\nDepartment of Justice Canada", "", (), id="nobody",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "court", "judges"), CAPTIONS)
def test_a_caption_gives_its_court_and_its_judges(text: str, court: str, judges: tuple[str, ...]) -> None:
    case = find_case(lines_of([HeadPage(1, text)]), is_judgment=True)
    assert case
    assert (case.court, case.judges) == (court, judges)
    assert find_case(lines_of([HeadPage(1, "Lamps Act 1950\n1. A lamp is lit.")])) is None
