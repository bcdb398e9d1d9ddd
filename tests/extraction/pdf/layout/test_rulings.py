"""Grids from ruled lines."""

from collections.abc import Sequence

from extraction.pdf.layout.rulings import PageDrawing, Ruling, grids

Line = tuple[float, float, float]  # from, to, at


def drawn(horizontal: Sequence[Line], vertical: Sequence[Line]) -> PageDrawing:
    return PageDrawing(
        horizontal=[Ruling(*values) for values in horizontal], vertical=[Ruling(*values) for values in vertical]
    )


def test_crossing_lines_make_rows_of_cells() -> None:
    found = grids(
        drawn(
            [(100, 400, 700), (100, 400, 680), (100, 400, 660)],
            [(660, 700, 100), (660, 700, 250), (660, 700, 400)],
        )
    )
    assert len(found) == 1
    assert [(row.top, row.bottom) for row in found[0].rows] == [(700, 680), (680, 660)]
    assert [[(cell.left, cell.right) for cell in row.cells] for row in found[0].rows] == [[(100, 250), (250, 400)]] * 2


def test_broken_strokes_are_one_ruling() -> None:
    found = grids(
        drawn(
            [(100, 250, 700), (250, 400, 700.5), (100, 400, 680), (100, 400, 660)],
            [(660, 700, 100), (660, 680, 250), (680, 700, 250), (660, 700, 400)],
        )
    )
    assert [len(row.cells) for row in found[0].rows] == [2, 2]


def test_a_frame_is_no_table() -> None:
    assert grids(drawn([(50, 550, 800), (50, 550, 50)], [(50, 800, 50), (50, 800, 550)])) == []


def test_a_cell_without_a_floor_is_open_below() -> None:
    found = grids(
        drawn(
            [(100, 400, 700), (250, 400, 680), (100, 400, 660)],
            [(660, 700, 100), (660, 700, 250), (660, 700, 400)],
        )
    )
    assert [cell.open_below for cell in found[0].rows[0].cells] == [True, False]


def test_two_tables_come_top_first() -> None:
    def table(top: float) -> tuple[list[Line], list[Line]]:
        return (
            [(100, 400, top), (100, 400, top - 20), (100, 400, top - 40)],
            [(top - 40, top, x) for x in (100, 250, 400)],
        )

    low, high = table(300), table(700)
    found = grids(drawn(low[0] + high[0], low[1] + high[1]))
    assert [grid.box.top for grid in found] == [700, 300]
