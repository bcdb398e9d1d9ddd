"""Several commits are asked the same in turn, and a commit that does not know a request is left out of its line."""

from typing import Any, cast

from bench.client import ApiError
from bench.scale.client import SearchApi
from bench.scale.in_turn import Commit, ask_in_turn
from bench.scale.latency import Case
from bench.scale.queries import ScaleQuery
from bench.stack import Stack

NAME = ("largest", "(with facets)")


class Asked:
    """A client that notes who was asked what, in the place of a service."""

    def __init__(self, name: str, notes: list[tuple[str, str]], *, refuses: bool = False) -> None:
        self._name, self._notes, self._refuses = name, notes, refuses

    def timed(self, body: dict[str, Any]) -> tuple[dict[str, Any], float]:
        if self._refuses:
            raise ApiError(400, "invalid_request", "facets: unknown")
        self._notes.append((self._name, body["query"]))
        return {}, 1.0 if self._name == "before" else 2.0


def commit(name: str, api: Asked) -> Commit:
    queries = [ScaleQuery(f"{name} {number}", "heading", None) for number in range(4)]
    case = Case(topics=NAME[0], chunks=1, filtered=NAME[1], body={"topic_id": 1}, queries=queries, warm_up=2)
    return Commit(name, Stack("", ""), cast(SearchApi, api), {NAME: case})


def test_all_commits_get_queries_of_first_and_begin_by_turns() -> None:
    notes: list[tuple[str, str]] = []
    took = ask_in_turn(NAME, [commit(name, Asked(name, notes)) for name in ("before", "after")])
    assert took == {"before": [1.0, 1.0], "after": [2.0, 2.0]}
    assert [name for name, _ in notes] == ["before", "after", "after", "before"] * 2
    assert [query for _, query in notes] == [f"before {number}" for number in (0, 0, 1, 1, 2, 2, 3, 3)]


def test_a_commit_that_refuses_a_request_has_no_figures_of_it() -> None:
    notes: list[tuple[str, str]] = []
    commits = [commit("before", Asked("before", notes, refuses=True)), commit("after", Asked("after", notes))]
    assert ask_in_turn(NAME, commits) == {"after": [2.0, 2.0]}
    assert len(notes) == 4
