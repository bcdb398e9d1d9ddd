"""Pictures: parts that stand where the numbers put them, from left to right and from right to left."""

from django.utils import translation

from kb_project.screens.pictures import bars, ways


def test_bars_stand_on_each_other_and_as_high_as_their_share() -> None:
    picture = bars({"2024": {"s0": 2, "s1": 2}, "2025": {"s0": 1, "s1": 0}})
    low, high, alone, nothing = picture.boxes
    assert (low.height, high.height, alone.height, nothing.height) == (60, 60, 30, 0)
    assert (low.y, high.y) == (high.y + 60, high.y)
    assert low.x == high.x < alone.x
    assert [one.text for one in picture.words] == ["4", "2024", "1", "2025"]
    assert all(0 <= box.x <= picture.width - box.width and box.y >= 0 for box in picture.boxes)


def test_in_hebrew_the_first_column_is_at_the_right() -> None:
    columns = {"2024": {"s0": 1}, "2025": {"s0": 1}}
    with translation.override("he"):
        first, second = bars(columns).boxes
        to, _here, _away = sorted(ways({"a": 1}, "b", {"c": 1}).boxes, key=lambda box: -box.x)
    assert first.x > second.x
    assert to.x + to.width == ways({"a": 1}, "b", {"c": 1}).width


def test_few_are_still_seen_beside_many() -> None:
    assert [box.height for box in bars({"a": {"s0": 10_000}, "b": {"s0": 1}}).boxes] == [120, 1]
    assert bars({}).boxes == []


def test_what_leads_there_oftener_has_a_broader_line() -> None:
    picture = ways({"often": 9, "once": 1}, "here", {})
    assert [line.width for line in picture.lines] == [4, 1]
    assert picture.lines[0].x1 < picture.lines[0].x2
