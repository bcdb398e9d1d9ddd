"""`python -m bench.lay_questions`: questions as laymen and lawyers ask them, answered in three ways.

Without a model; with recorded wordings in the place of the model that expands; and with a reader besides, in the place
of the model that answers. The reader cites the passage that holds the words to be found, when that is among those it is
sent, and says else that they do not answer: what a model that reads well could make of what it is given.
"""

import dataclasses
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.client import Api
from bench.command import add_data_dir, add_limit, data_sets, parser_of, run
from bench.datasets import DataMissing, DataSet, Document, json_lines, load_set
from bench.load import LoadedSet, load, topic_for
from bench.stack import embedded, settings_of_stack
from bench.tables import markdown
from tests.openai_server import OpenAIServer, passages_of
from tests.openai_server.server import Reply

WAYS = ("no model", "wordings", "wordings and reader")
LOOKED_AT = 20  # hits
ENOUGH = 0.7  # of the words to be found
NO_ANSWER = "The passages do not answer the question."
_WORD = re.compile(r"\w+")
# While the index still gathers new chunks, what words weigh changes.
SETTLE = "from search.index import engine; engine().maintain(thorough=True)"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the places and the words that answer it; of one that nothing answers there are none."""

    id: str
    group: str
    text: str
    quote: str
    places: frozenset[tuple[str, str]]  # file and section

    @property
    def dataset(self) -> str:
        return "rulebooks" if self.group.endswith("-en") else "law"


@dataclass(slots=True)
class Row:
    """What became of the questions of a group. `ranks` are those of the first right hit, 0 for none."""

    ranks: list[int] = field(default_factory=list)
    right: int = 0
    wrong: int = 0  # answered without a right citation
    silent: int = 0
    headings: int = 0  # quotes that are a heading alone
    asked: int = 0  # questions that reached the model


def main() -> int:
    parser = parser_of("bench.lay_questions", __doc__)
    add_limit(parser)
    add_data_dir(parser)
    chosen = parser.parse_args()
    root = data_sets()
    questions = read_questions(root)
    questions = questions[:: max(1, len(questions) // chosen.limit)] if chosen.limit else questions
    wordings = {row["id"]: row for row in json_lines(root / "lay-questions" / "wordings-dev.jsonl")}
    sets = {"law": load_set("law", root=root), "rulebooks": _rulebooks(root)}
    if chosen.limit:
        sets = {name: _part(dataset, questions) for name, dataset in sets.items()}
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder:
        data_dir = chosen.data_dir or Path(folder)
        results = {way: _measure(way, questions, wordings, sets=sets, data_dir=data_dir) for way in WAYS}
    _report(results)
    return 0


def read_questions(root: Path) -> list[Question]:
    """The questions of the set. Raises FileNotFoundError."""
    return [
        Question(
            id=row["id"],
            group=row["group"],
            text=row["question"],
            quote=row["quote"] or "",
            places=frozenset(
                (place["file"], place["section"] or "") for place in ([row] if row["file"] else []) + row["also"]
            ),
        )
        for row in json_lines(root / "lay-questions" / "questions-dev.jsonl")
    ]


def _rulebooks(root: Path) -> DataSet:
    files = sorted((root / "obliqa" / "files").glob("*.txt"))
    if not files:
        raise DataMissing(f"There are no rulebooks in {root / 'obliqa' / 'files'}.")
    documents = tuple(Document(file.name, file, "regulation", file.name, title=_title(file.stem)) for file in files)
    return DataSet(name="rulebooks", title="ADGM rulebooks and guidance", documents=documents, by_section=True)


def _part(dataset: DataSet, questions: Sequence[Question]) -> DataSet:
    """The documents that answer the questions."""
    files = {file for question in questions for file, _ in question.places}
    documents = tuple(document for document in dataset.documents if document.filename in files)
    return dataclasses.replace(dataset, documents=documents, limit=len(questions))


def _title(stem: str) -> str:
    return " ".join(stem.replace("_", " ").split())


class Models(OpenAIServer):
    """In the place of both models: says the recorded wordings, and reads the passages for the words to be found."""

    def __init__(self, questions: Sequence[Question], wordings: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__()
        self._questions = {question.text: question for question in questions}
        self._wordings = wordings
        self.asked: set[str] = set()  # questions to answer, as they were asked

    def next_reply(self, body: dict[str, Any]) -> Reply:
        form = body["response_format"]["json_schema"]["schema"]["properties"]
        said = self._read(body) if "statements" in form else self._reworded(body, form)
        return Reply(text=json.dumps(said, ensure_ascii=False))

    def _reworded(self, body: dict[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
        asked = json.loads(body["messages"][-1]["content"])["query"]
        question = self._questions.get(asked)
        recorded = self._wordings.get(question.id, {}) if question else {}
        return {name: recorded.get(name, [] if form[name].get("type") == "array" else "") for name in form}

    def _read(self, body: dict[str, Any]) -> dict[str, Any]:
        *_, asked = body["messages"][-1]["content"].rpartition("\n")
        self.asked.add(json.loads(asked))
        question = self._questions.get(json.loads(asked))
        wanted = _plain(question.quote) if question else ""
        for passage in passages_of(body):
            if wanted and wanted in _plain(passage["text"]):
                citation = {"passage": passage["passage"], "quote": wanted}
                return {"statements": [{"text": wanted, "citations": [citation]}]}
        return {"statements": [{"text": NO_ANSWER, "citations": []}]}


def _plain(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def _settings(way: str, server: OpenAIServer) -> Iterator[None]:
    models = {"KB_LLM_BASE_URL": server.url, "KB_LLM_MODEL": "recorded", "KB_LLM_API_KEY": "bench"}
    roles = {
        "no model": {"KB_ANSWERER": "extractive", "KB_EXPANDER": "none"},
        "wordings": {"KB_ANSWERER": "extractive", "KB_EXPANDER": "openai"},
        "wordings and reader": {"KB_ANSWERER": "openai", "KB_EXPANDER": "openai"},
    }[way]
    # The recorded ones come at once: a slow machine must not make them late.
    with settings_of_stack({**models, **roles, "KB_EXPANSION_TIMEOUT_S": "30", "KB_ANSWER_CACHE_S": "0"}):
        yield


def _measure(
    way: str,
    questions: Sequence[Question],
    wordings: Mapping[str, Mapping[str, Any]],
    *,
    sets: Mapping[str, DataSet],
    data_dir: Path,
) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    with Models(questions, wordings) as server, _settings(way, server), embedded(data_dir) as (stack, api):
        loaded = {}
        for name, dataset in sets.items():
            topic_id = topic_for(dataset, api=api)
            loaded[name] = load(dataset, api=api, topic_id=topic_id)
        stack.shell(SETTLE)
        headings = _headings(api)
        for question in tqdm(questions, desc=way, unit="question"):
            row = rows.setdefault(question.group, Row())
            _note(row, question, api=api, there=loaded[question.dataset], headings=headings)
            row.asked += question.text in server.asked
    return rows


def _note(row: Row, question: Question, *, api: Api, there: LoadedSet, headings: Callable[[int, str], bool]) -> None:
    """Search for the question and ask it."""
    found = api.search(question.text, topic_id=there.topic_id, limit=LOOKED_AT)["results"]
    right = [is_right(question, there.sources.get(hit["source"]["id"], ""), hit) for hit in found]
    row.ranks.append(right.index(True) + 1 if True in right else 0)
    answer = api.ask(question.text, topic_id=there.topic_id)
    citations = answer["citations"]
    row.headings += sum(headings(one["source_id"], one["quote"]) for one in citations)
    if answer["status"] != "answered":
        row.silent += 1
    elif any(is_right(question, there.sources.get(one["source_id"], ""), one) for one in citations):
        row.right += 1
    else:
        row.wrong += 1


def is_right(question: Question, file: str, found: Mapping[str, Any]) -> bool:
    """Whether a hit or a citation is of a right section, or holds most of the words in a right file."""
    if (file, found["section"]) in question.places:
        return True
    words = _WORD.findall(question.quote)
    there = set(_WORD.findall(found.get("text") or found["quote"]))
    in_file = file in {name for name, _ in question.places}
    return in_file and bool(words) and sum(word in there for word in words) >= ENOUGH * len(words)


def _headings(api: Api) -> Callable[[int, str], bool]:
    """Whether a quote is a heading of its document and nothing else."""
    known: dict[int, set[str]] = {}

    def is_heading(source_id: int, quote: str) -> bool:
        if source_id not in known:
            known[source_id] = {_words(one["heading"]) for one in api.provisions(source_id) if one["heading"]}
        words = _words(quote)
        return bool(words) and words in known[source_id]

    return is_heading


def _words(text: str) -> str:
    return " ".join(word for word in _WORD.findall(text) if not word.isdigit())


def _report(results: Mapping[str, Mapping[str, Row]]) -> None:
    head = [
        "way",
        "group",
        "n",
        "found@1 / @10 / @20",
        "right section cited",
        "answered wrong",
        "silent",
        "headings",
        "asked",
    ]
    table = [_row(way, group, row) for way, rows in results.items() for group, row in rows.items()]
    print(markdown(head, table))


def _row(way: str, group: str, row: Row) -> list[str]:
    count = len(row.ranks)
    found = " / ".join(f"{sum(0 < rank <= most for rank in row.ranks) / count:.2f}" for most in (1, 10, 20))
    if group.startswith("unanswerable"):
        found = cited = wrong = ""
    else:
        cited, wrong = (f"{number / count:.2f}" for number in (row.right, row.wrong))
    silent, asked = (f"{number / count:.2f}" for number in (row.silent, row.asked))
    return [way, group, str(count), found, cited, wrong, silent, str(row.headings), asked]


if __name__ == "__main__":
    sys.exit(run(main))
