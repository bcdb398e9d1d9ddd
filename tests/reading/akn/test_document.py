"""Documents as Akoma Ntoso: valid, with every provision in its element, and without a character lost."""

import re
from io import BytesIO
from typing import Any

import pytest
from lxml import etree

from reading import akn
from sources.models import Chunk, Provision
from tests.law.structure.test_provisions import LAW
from tests.reading.akn.checking import NAMESPACE, schema_errors, text_of
from tests.reading.akn.writing import written
from tests.search.corpus import add_document, add_source

pytestmark = pytest.mark.django_db

MARGINAL = """חוק הנמלים
פרק א': כללי
הגדרות 1. (א) בחוק זה –
"נמל" – לרבות מעגן.
(ב) נמל\tשטח\tעומק
אילת\t12\t
חיפה\t\t9
אחר כך.
היתר
2. לא יעגון אדם אלא בהיתר.
3. (א)(1) היתר יינתן בכתב.
(2) היתר יבוטל.
תוספת ראשונה
(סעיף 2)
1. אגרת היתר: מאה שקלים."""
RULES = """Harbour Rules 2006
PART I – GENERAL
Section 1. Citation. These rules may be cited as the Harbour Rules.
Section 2. Definitions.
In these rules:
(a) a berth is a place;
(i) for a ship; or
(ii) for a boat;
(b) a master is a person.
Section 3. Fees.
3.(1) A fee is due.
3.(2) A fee is ten pounds.
SCHEDULE 1
Fees
1. Ten pounds."""
JUDGMENT = """בית המשפט העליון
ע"א 1234/05
פתח דבר
1. לפנינו ערעור.
2. העובדות:
(א) המערער שאל ספר.
(ב) הספר אבד.
דיון והכרעה
3. דין הערעור להידחות."""
PROSE = "מדריך לשואל\n\nכל תושב רשאי לשאול.\nהספרייה פתוחה בימי חול."


def outline(xml: bytes) -> str:
    """The elements of the text, one a line, indented, with the text of those that hold no others."""
    lines: list[str] = []

    def add(element: Any, depth: int) -> None:
        said = "".join(element.itertext()) if not len(element) or element.tag.endswith("}p") else ""
        name = " ".join(filter(None, (etree.QName(element).localname, element.get("eId"), element.get("name"))))
        lines.append("  " * depth + (f"{name}: {said}" if said.strip() else name))
        for child in element if not element.tag.endswith("}p") else ():
            add(child, depth + 1)

    for part in etree.fromstring(xml)[0][1:]:
        add(part, 0)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "kind"),
    [(LAW, "law"), (MARGINAL, "law"), (RULES, "regulation"), (JUDGMENT, "caselaw"), (PROSE, "tool"), (PROSE, "law")],
)
def test_every_provision_has_its_element(text: str, kind: str) -> None:
    source = add_document(text, kind=kind, title="מסמך")
    ids = re.findall(r'eId="([^"]+)"', written(source).decode())
    stored = list(Provision.objects.filter(source=source).order_by("position").values_list("eid", flat=True))
    assert [eid for eid in ids if eid in stored] == stored


def test_law_is_an_act_with_numbers_headings_clauses_and_tables() -> None:
    source = add_document(MARGINAL, kind="law", title="חוק הנמלים")
    assert (
        outline(written(source))
        == """\
preface
  p: חוק הנמלים
body
  chapter chp_1
    num: פרק א':
    heading: כללי
    section sec_1
      heading: הגדרות
      num: 1.
      intro
        p: (א) בחוק זה –
        p: "נמל" – לרבות מעגן.
      subsection sec_1__subsec_b
        num: (ב)
        content
          p: נמל\tשטח\tעומק
          table sec_1__subsec_b__table_1
            tr
              td
                p: אילת
              td
                p: 12
              td
            tr
              td
                p: חיפה
              td
              td
                p: 9
          p: אחר כך.
    section sec_2
      heading: היתר
      num: 2.
      content
        p: לא יעגון אדם אלא בהיתר.
    section sec_3
      num: 3.
      subsection sec_3__subsec_a
        num: (א)
        paragraph sec_3__subsec_a__para_1
          num: (1)
          content
            p: היתר יינתן בכתב.
        paragraph sec_3__subsec_a__para_2
          num: (2)
          content
            p: היתר יבוטל.
  hcontainer sched_1 schedule
    num: תוספת ראשונה
    intro
      p: (סעיף 2)
    hcontainer sched_1__item_1 item
      num: 1.
      content
        p: אגרת היתר: מאה שקלים."""
    )


def test_english_rules_are_an_act_too() -> None:
    source = add_document(RULES, kind="regulation", title="Harbour Rules 2006")
    assert (
        outline(written(source))
        == """\
preface
  p: Harbour Rules 2006
body
  part part_1
    num: PART I –
    heading: GENERAL
    section sec_1
      num: Section 1.
      heading: Citation.
      content
        p: These rules may be cited as the Harbour Rules.
    section sec_2
      num: Section 2.
      heading: Definitions.
      intro
        p: In these rules:
      subsection sec_2__subsec_a
        num: (a)
        intro
          p: a berth is a place;
        paragraph sec_2__subsec_a__para_i
          num: (i)
          content
            p: for a ship; or
        paragraph sec_2__subsec_a__para_ii
          num: (ii)
          content
            p: for a boat;
      subsection sec_2__subsec_b
        num: (b)
        content
          p: a master is a person.
    section sec_3
      num: Section 3.
      heading: Fees.
      subsection sec_3__subsec_1
        num: 3.(1)
        content
          p: A fee is due.
      subsection sec_3__subsec_2
        num: 3.(2)
        content
          p: A fee is ten pounds.
  hcontainer sched_1 schedule
    num: SCHEDULE 1
    heading: Fees
    hcontainer sched_1__item_1 item
      num: 1.
      content
        p: Ten pounds."""
    )


def test_a_judgment_has_a_header_and_numbered_paragraphs() -> None:
    source = add_document(JUDGMENT, kind="caselaw", title="פלוני נ' אלמוני")
    assert (
        outline(written(source))
        == """\
header
  p: בית המשפט העליון
  p: ע"א 1234/05
judgmentBody
  motivation
    hcontainer hcontainer_pthch-dbr heading
      heading: פתח דבר
      paragraph para_1
        num: 1.
        content
          p: לפנינו ערעור.
      paragraph para_2
        num: 2.
        intro
          p: העובדות:
        subsection para_2__subsec_a
          num: (א)
          content
            p: המערער שאל ספר.
        subsection para_2__subsec_b
          num: (ב)
          content
            p: הספר אבד.
    hcontainer hcontainer_dyvn-vhkreh heading
      heading: דיון והכרעה
      paragraph para_3
        num: 3.
        content
          p: דין הערעור להידחות."""
    )


@pytest.mark.parametrize(
    ("kind", "body"), [("law", "body/hcontainer/content"), ("tool", "mainBody"), ("caselaw", "judgmentBody/motivation")]
)
def test_what_was_indexed_before_provisions_is_prose(kind: str, body: str) -> None:
    source = add_source("First passage.\nOf two lines.", "Second passage.", kind=kind)
    last = Chunk.objects.get(source=source, seq=1)
    last.span_start, last.span_end = 30, 45  # one character, which is not known, after the first passage
    last.save()
    file = BytesIO()
    akn.write(source, file)
    assert schema_errors(file.getvalue()) == []
    assert text_of(file.getvalue()) == "First passage.\nOf two lines.\n\nSecond passage."
    path = "/".join(f"{{{NAMESPACE}}}{name}" for name in ("*", *body.split("/"), "p")).replace(f"{{{NAMESPACE}}}*", "*")
    said = [element.text for element in etree.fromstring(file.getvalue()).findall(path)]
    assert said == ["First passage.", "Of two lines.", "Second passage."]


def test_only_what_xml_forbids_is_left_out() -> None:
    text = '1. סעיף <a> & "b"\x0c\x1b \u200fימין\u202c \ufffe\U0001f4da]]>\r\n\u2028סוף'
    source = add_document(text, kind="law", title="חוק\x07 הסימנים")
    file = BytesIO()
    akn.write(source, file)
    assert text_of(file.getvalue()) == re.sub("[\x0c\x1b\ufffe]", "", text)
    assert schema_errors(file.getvalue()) == []
