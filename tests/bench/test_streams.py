"""What the benchmark of streams asks about: the same laws and questions every time."""

from bench.streams import LAWS, QUERIES, SECTIONS, made_up_laws, some_queries


def test_laws_and_questions_are_the_same_in_every_run() -> None:
    laws = list(made_up_laws())
    assert [law.content for law in laws] == [law.content for law in made_up_laws()]
    assert some_queries(laws) == some_queries(laws)
    assert (len(laws), len(some_queries(laws))) == (LAWS, QUERIES)
    assert all(f"\n\n{SECTIONS}. " in str(law.content) for law in laws)


def test_every_question_has_words_of_one_law() -> None:
    laws = list(made_up_laws())
    for query in some_queries(laws):
        assert any(set(query.split()) <= set(str(law.content).replace(".", "").split()) for law in laws)
