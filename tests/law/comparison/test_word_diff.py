"""Two texts side by side: what only one of them has is told, and what they print differently is not."""

from law.comparison.side_by_side import AlignedParagraph, WordSpan, side_by_side


def marked(passages: list[AlignedParagraph]) -> list[tuple[list[str], list[str]]]:
    return [
        ([run.text for run in one.left if run.alone], [run.text for run in one.right if run.alone]) for one in passages
    ]


def text_of(runs: tuple[WordSpan, ...]) -> str:
    return "".join(run.text for run in runs)


def test_changed_words_are_marked_in_paragraph_where_they_stand() -> None:
    one = 'סעיף 1\nהמאחר ישלם "עשרה" שקלים.\nסעיף 2\nהרכז ידווח לרשות.\n'
    other = "סעיף 1\nהמאחר ישלם ״עשרים״ שקלים.\nסעיף 2\nהרכז ידווח לרשות המקומית."
    passages = side_by_side(one, other)
    assert [passage.same for passage in passages] == [True, False, True, False]
    assert marked(passages)[1::2] == [(["עשרה"], ["עשרים"]), ([], ["המקומית"])]
    assert text_of(passages[1].left).strip() == 'המאחר ישלם "עשרה" שקלים.'
    assert text_of(passages[1].right).strip() == "המאחר ישלם ״עשרים״ שקלים."


def test_line_breaks_quotes_and_vowel_points_are_no_difference() -> None:
    one = 'The keeper of a "hive" shall provide water.\nקהילתית.'
    other = "The keeper of\na “hive” shall\nprovide water. קְהִלָּתִית"
    assert [passage.same for passage in side_by_side(one, other.replace("קְהִלָּתִית", "קהילתית"))] == [True, True]


def test_a_paragraph_that_only_one_has_stands_alone() -> None:
    added = side_by_side("First words here.\nLast words there.", "First words here.\nQuite new.\nLast words there.")
    assert marked(added) == [([], ["Quite new"]), ([], [])]
    removed = side_by_side("First words here.\nQuite old.\nLast words there.", "First words here.\nLast words there.")
    assert marked(removed) == [([], []), (["Quite old"], []), ([], [])]


def test_rest_of_longer_one_is_left_out_where_the_other_was_cut() -> None:
    passages = side_by_side("One two three.\nFour five six.", "One two three.\nFour five", cut=True)
    assert all(passage.same for passage in passages)
    assert not side_by_side("One two three.\nFour five six.", "One two three.")[1].same


def test_texts_without_words_or_without_anything_in_common_are_shown() -> None:
    assert side_by_side("", "") == []
    assert marked(side_by_side("alpha", "beta", cut=True)) == [(["alpha"], ["beta"])]
    assert marked(side_by_side("", "beta")) == [([], ["beta"])]
