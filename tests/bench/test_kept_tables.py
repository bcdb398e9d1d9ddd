"""What counts as a kept table."""

from pathlib import Path

from bench.kept_tables import Score, cells_in_place, measure, own_document, own_truth, true_tables


def test_a_cell_is_kept_in_its_row_and_column_only() -> None:
    truth = [["a", "b"], ["c", "d"], ["e", "f"]]
    assert cells_in_place(truth, truth) == 6
    assert cells_in_place(truth, [["title"], *truth]) == 6
    assert cells_in_place(truth, [["b", "a"], ["c", "x"], ["e", "f"]]) == 3
    assert cells_in_place(truth, [["a"], ["c d"]]) == 0


def test_the_document_of_our_own_is_kept_whole(tmp_path: Path) -> None:
    score = Score()
    measure(own_document(tmp_path), own_truth(), score, misses=True)
    assert [len(table) for table in true_tables(own_truth())] == [5, 60, 6]
    assert (score.kept, score.tables, score.cells_kept, score.errors) == (3, 3, score.cells, [0.0])
