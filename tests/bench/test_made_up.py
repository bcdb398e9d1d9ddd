"""The made-up files of a batch: the same from every run, each its own, and broken where they say so."""

from collections import Counter

import pytest

from bench.made_up import FORMATS, KINDS, make_files


def test_same_seed_makes_the_same_files_and_another_seed_others() -> None:
    def texts(seed: int) -> list[tuple[str, bytes]]:
        made = make_files(good=4, copies=2, seed=seed)  # a PDF has the time in it
        return [(file.name, file.content) for file in made if file.name.endswith(".txt")]

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_good_files_are_of_each_kind_format_and_language() -> None:
    good = [file for file in make_files(good=36, copies=0) if file.word]
    assert {(file.kind, file.name.rsplit(".")[-1]) for file in good} == {(k, f) for k in KINDS for f in FORMATS}
    assert len({file.word for file in good}) == len({file.content for file in good}) == 36
    assert Counter(file.word.isascii() for file in good) == {True: 18, False: 18}
    for file in good:
        if file.name.endswith(".txt"):
            assert [other.word for other in good if other.word in file.content.decode()] == [file.word]


def test_copies_come_last_and_name_file_whose_bytes_they_have() -> None:
    files = make_files(good=6, copies=3)
    by_name = {file.name: file for file in files}
    assert [bool(file.copy_of) for file in files[-4:]] == [False, True, True, True]
    assert all(file.content == by_name[file.copy_of].content for file in files if file.copy_of)


@pytest.mark.parametrize(("refused", "count"), [(True, 5), (False, 5)])
def test_ten_files_are_broken_and_five_of_them_are_refused(refused: bool, count: int) -> None:
    broken = [file for file in make_files(good=1, copies=0) if file.code and file.refused is refused]
    assert len({file.content for file in broken}) == count
