"""Bibliographies, as programs that know the formats read them."""

import json
from typing import Any

import bibtexparser
import jsonschema
import pytest
import rispy
from bibtexparser.middlewares import LatexDecodingMiddleware

from keeping.exports.bibliography import Entry, as_bibtex, as_csl, as_ris, entries
from keeping.exports.pieces import Footnote
from tests.keeping.exports.made import CASE, DAY, LAW, RULES

BILL = Footnote(cited="", address="https://kb.example/documents/15/", title="הצעת חוק הספריות", kind="law")
TOOL = Footnote(cited="A form", address="https://kb.example/documents/16/", title="A form", kind="tool")
CITED = [LAW, RULES, CASE, BILL, TOOL]
# What the schema of CSL-JSON (csl-data.json 1.0.2) says of the fields that are used here. It takes no others.
WORDS = {"type": "string", "minLength": 1, "pattern": r"^\S"}
DATE = {
    "type": "object",
    "properties": {
        "date-parts": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "integer"}},
        }
    },
    "required": ["date-parts"],
    "additionalProperties": False,
}
CSL = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "type": {"enum": ["bill", "document", "legal_case", "legislation", "regulation"]},
            "issued": DATE,
            "accessed": DATE,
            **dict.fromkeys(("id", "title", "number", "section", "page", "URL", "language", "note"), WORDS),
        },
        "required": ["type", "id"],
        "additionalProperties": False,
    },
}


@pytest.fixture
def made() -> list[Entry]:
    return entries(CITED, made_on=DAY)


def test_keys_are_plain_and_each_is_one_entrys() -> None:
    keys = [one.key for one in entries([LAW, LAW, RULES], made_on=DAY)]
    assert keys == ["kb-12-sec-2", "kb-12-sec-2-2", "kb-13"]


def test_csl_is_as_its_schema_says(made: list[Entry]) -> None:
    items = json.loads(as_csl(made))
    jsonschema.validate(items, CSL)
    assert [one["type"] for one in items] == ["legislation", "regulation", "legal_case", "bill", "document"]
    assert items[0]["title"] == LAW.title
    assert items[0]["issued"] == {"date-parts": [[2021, 1, 5]]}
    assert LAW.holds in items[0]["note"]
    assert "issued" not in items[2]


def test_a_parser_of_bibtex_reads_what_was_written(made: list[Entry]) -> None:
    library = bibtexparser.parse_string(as_bibtex(made), append_middleware=[LatexDecodingMiddleware()])
    assert library.failed_blocks == []
    assert [one.key for one in library.entries] == [one.key for one in made]
    read: list[dict[str, Any]] = [{field.key: field.value for field in one.fields} for one in library.entries]
    assert [one.entry_type for one in library.entries][:3] == ["legislation", "legislation", "jurisdiction"]
    assert [one["title"].strip("{}") for one in read] == [one.title for one in made]
    assert read[1]["number"] == RULES.identifier
    addresses = [one.fields_dict["url"].value for one in bibtexparser.parse_string(as_bibtex(made)).entries]
    assert addresses == [one.address for one in CITED]  # verbatim, as biblatex reads them
    assert read[0]["langid"] == "hebrew"


def test_a_parser_of_ris_reads_what_was_written(made: list[Entry]) -> None:
    text = as_ris(made)
    read = rispy.loads(text)
    assert [one["type_of_reference"] for one in read] == ["STAT", "LEGAL", "CASE", "BILL", "GEN"]
    assert [one["title"] for one in read] == [one.title for one in made]
    assert [one["urls"] for one in read] == [[one.address] for one in made]
    assert read[0]["date"] == "2021/01/05"
    assert text.replace("\r\n", "").count("\n") == 0


def test_no_text_can_begin_a_line_or_a_field_of_its_own() -> None:
    evil = Footnote(cited="x\nER  - \nTY  - BOOK", address="https://kb.example/documents/1/{a}", title="a},\n  url={b")
    [entry] = entries([evil], made_on=DAY)
    assert len(rispy.loads(as_ris([entry]))) == 1
    library = bibtexparser.parse_string(as_bibtex([entry]))
    assert library.failed_blocks == []
    assert [field.key for field in library.entries[0].fields] == ["title", "note", "url", "urldate", "langid"]
