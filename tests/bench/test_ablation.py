"""What each part of the ranking adds, measured in memory."""

from dataclasses import replace

from bench.ablation import by_words, table, variants
from bench.datasets import DataSet, Document, Query
from bench.in_memory import InMemory
from bench.metrics import score
from law.words.term_weights import FIELDS

ASKS = "What can a person do, and how could they do it?"
TELLS = "The trustee keeps a ledger of every deposit, in the order in which deposits were made."


def document(name: str, text: str, *, kind: str = "circular", title: str = "") -> Document:
    return Document(filename=f"{name}.txt", content=text, kind=kind, unit=name, title=title)


def small() -> DataSet:
    other = [document(f"other-{number}", f"The harbour has {number} lamps.") for number in range(20)]
    return DataSet(
        name="heqa",
        title="A small set",
        documents=(document("asks", ASKS), document("tells", TELLS), *other),
        queries=(
            Query("What can you do with the ledger of a trustee, and how?", frozenset({"tells"}), "questions"),
            Query("How many lamps could be in the harbour?", frozenset({"other-3"}), "questions"),
        ),
    )


def test_passages_are_found_in_the_order_of_their_scores() -> None:
    index = InMemory(small())
    found = index.search("ledger of the trustee", limit=5)
    assert index.units[found[0][0]] == "tells"
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert len(found) == 5


def test_nothing_is_found_for_words_that_no_passage_holds() -> None:
    assert InMemory(small()).search("parliament", limit=5) == []


def test_a_section_is_a_passage_with_its_heading_as_a_field() -> None:
    act = "Pilots Act\n\n1. Licence\nNo person shall steer without one.\n\n2. Fees\nThe clerk sets what is paid.\n"
    law = DataSet(
        name="law",
        title="An act",
        documents=(document("pilots", act, kind="law", title="Pilots Act"),),
        queries=(Query("fees", frozenset({"pilots.txt#2"}), "heading"),),
        by_section=True,
    )
    index = InMemory(law)
    assert {"pilots.txt#1", "pilots.txt#2"} <= set(index.units)
    whole = index.search("fees", limit=1)
    without = index.search("fees", limit=1, fields=[field for field in FIELDS if field.name != "heading"])
    assert index.units[whole[0][0]] == "pilots.txt#2"
    assert not without or without[0][1] < whole[0][1]


def test_switching_off_the_words_that_ask_loses_what_they_found() -> None:
    dataset = small()
    index = InMemory(dataset)
    by_name = {variant.name: variant for variant in variants()}
    whole = [answer[1:] for answer in by_words(dataset, index, by_name["as it is"])]
    assert score(whole).top1 >= 0.5
    only_pairs = replace(by_name["as it is"], fields=[replace(f, word_weight=0.0, stem_weight=0.0) for f in FIELDS])
    assert score(answer[1:] for answer in by_words(dataset, index, only_pairs)).recall <= score(whole).recall


def test_the_table_has_a_row_for_the_whole_and_for_each_part_left_out() -> None:
    lines = table(small(), halves=True).splitlines()
    assert lines[0] == "| A small set | questions | questions, one half | questions, other half |"
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines[2:]] == [variant.name for variant in variants()]
    assert lines[2].startswith("| as it is | ")
