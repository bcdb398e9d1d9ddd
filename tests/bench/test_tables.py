"""The report's tables."""

from bench import tables
from bench.documents import Reading
from bench.load import LoadedSet
from bench.metrics import Percentiles, Scores
from bench.quality import Quality


def test_each_style_of_a_set_has_a_row() -> None:
    of_law = Quality({"formal": Scores(4, 0.5, 0.25, 0.75, 1.0)}, Percentiles(4, 3, 6, 9))
    assert tables.quality({"law": of_law}).splitlines()[-1] == (
        "| law | formal | 4 | 0.5000 | 0.2500 | 0.7500 | 1.0000 | 3.0 | 6.0 |"
    )


def test_set_that_was_there_already_shows_no_speed() -> None:
    assert tables.ingest({"law": LoadedSet(1, chunks=9)}).splitlines()[-1] == (
        "| law | 0 | 0 | 0 | 0 | 9 | already there |  |  |"
    )


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
