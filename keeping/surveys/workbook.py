"""A survey as an Excel workbook: a sheet for each list, and one for the certificate."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from kb_project.web.origins import Absolute
from keeping.surveys import certificate
from keeping.tables.workbook import add_sheet
from sources.provisions import address

MAX_URL_LENGTH = 2_000  # characters: of a longer one Excel takes neither the address nor the words
_WIDTHS = (36, 14, 30, 70, 40)  # characters


def as_workbook(description: str, report: Mapping[str, Any], *, absolute: Absolute) -> bytes:
    """The file. `report` is one of the API's, `absolute` makes an address of a path."""
    import xlsxwriter  # here, as few processes write a workbook

    written = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(written, options) as book:
        bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
        plain = book.add_format({"text_wrap": True, "valign": "top"})
        for name, title in titles():
            if report[name] or name != "gone":
                _list(add_sheet(book, title), report[name], bold, plain, absolute)
        sheet = add_sheet(book, _("Certificate"))
        sheet.set_column(0, 0, 44)
        sheet.set_column(1, 1, 70)
        sheet.write_string(0, 0, _("What was looked for"), bold)
        sheet.write_string(0, 1, description, bold)
        told = certificate.lines(report["certificate"]) if report["certificate"] else []
        for at, (about, said) in enumerate(told, start=1):
            sheet.write_string(at, 0, about, plain)
            sheet.write_string(at, 1, said, plain)
    return written.getvalue()


def titles() -> list[tuple[str, str]]:
    """The lists of a report with their names."""
    return [
        ("yes", _("Yes")),
        ("undecided", _("Undecided")),
        ("near", _("No, the nearest")),
        ("gone", _("Gone since the last time")),
    ]


def _list(sheet: Any, rows: Sequence[Mapping[str, Any]], bold: Any, plain: Any, absolute: Absolute) -> None:
    heads = [_("Document"), _("Provision"), _("Heading"), _("Quote"), _("Remarks")]
    for place, (head, width) in enumerate(zip(heads, _WIDTHS, strict=True)):
        sheet.write_string(0, place, head, bold)
        sheet.set_column(place, place, width)
    sheet.freeze_panes(1, 1)
    for number, row in enumerate(rows, start=1):
        url = absolute(row["url"])
        if len(url) > MAX_URL_LENGTH:
            url = absolute(address(row["source_id"], row["eid"]))
        sheet.write_url(number, 0, url, string=row["title"] or f"#{row['source_id']}", cell_format=plain)
        said = [row["number"], row["heading"], row["quote"], " · ".join(filter(None, (row["reason"], news(row))))]
        for place, text in enumerate(said, start=1):
            sheet.write_string(number, place, text, plain)


def news(row: Mapping[str, Any]) -> str:
    """That it is new since the last time, where it is."""
    return _("new") if row["is_new"] else ""
