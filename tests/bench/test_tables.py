"""The report's tables."""

from bench import tables
from bench.documents import Reading
from bench.ingest_rate import PdfRate, PdfRound
from bench.load import LoadedSet
from bench.metrics import Percentiles, Scores
from bench.quality import Quality


def quality(style: str, figure: float, *, p50: float) -> Quality:
    return Quality({style: Scores(4, figure, figure, figure, figure)}, Percentiles(4, p50, p50 * 2, p50 * 3))


def test_overview_puts_each_set_in_its_column_and_leaves_others_empty() -> None:
    table = tables.overview(
        {"ours": {"law": quality("formal", 0.5, p50=3), "obliqa": quality("questions", 0.25, p50=2)}}
    )
    assert table.splitlines()[-1] == "| **ours** | 0.250 / 0.250 | 2.0 |  | 0.500 |  |  |  |"
    assert len({line.count("|") for line in table.splitlines()}) == 1


def test_ratio_says_how_much_better_and_how_much_faster() -> None:
    ours, theirs = {"law": quality("formal", 0.6, p50=5)}, {"law": quality("formal", 0.3, p50=100)}
    assert tables.search_rank_ratios(ours, theirs).splitlines()[-1] == (
        "| law | formal (4) | 0.600 / 0.300 | 2.00 | 5.0 / 100.0 | 20.0 |"
    )


def test_ratio_to_nothing_found_stays_empty() -> None:
    ours, theirs = {"law": quality("formal", 0.6, p50=5)}, {"law": quality("formal", 0.0, p50=100)}
    assert "| 0.600 / 0.000 |  |" in tables.search_rank_ratios(ours, theirs)


def test_set_that_was_there_already_shows_no_speed() -> None:
    assert tables.ingest({"law": LoadedSet(1, chunks=9)}).splitlines()[-1] == (
        "| law | 0 | 0 | 0 | 0 | 9 | already there |  |  |"
    )


def test_pdf_files_are_told_by_the_medians_of_the_rounds() -> None:
    rate = PdfRate(pages=100, rounds=(PdfRound(4.0, 10.0), PdfRound(5.0, 8.0), PdfRound(6.0, 12.0)))
    alone, service = tables.pdf_rate(rate).splitlines()[-2:]
    assert alone == "| pypdfium2 alone | 100 | 5.0 | 20 | 1.00 |  |"
    assert service == "| this service | 100 | 10.0 | 10 | 0.50 | 0.40 to 0.62 |"


def test_summary_of_documents_counts_and_names_the_worst() -> None:
    found = [
        Reading("a.pdf", "ok", "ok", True, error_rate=0.001),
        Reading("b.pdf", "ok", "ok", True, picture=True, error_rate=0.2),
        Reading("c.pdf", "corrupt", "ok", False),
    ]
    assert tables.readings_summary(found).startswith("2 of 3 files came out as expected.")
    assert "1 files with text of their own: median 0.0010, worst 0.0010." in tables.readings_summary(found)
    assert "unusable pages: median 0.2000, worst 0.2000." in tables.readings_summary(found)
    assert "**differs**" in tables.readings(found).splitlines()[-1]
