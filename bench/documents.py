"""Reading of documents: whether each file came out as it should, and how far its text is from the truth."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from rapidfuzz.distance import Levenshtein
from tqdm import tqdm

from bench.datasets import DataSet, Expectation
from bench.load import LoadedSet
from bench.stored import chunks_of_topic, joined

BIDI_CONTROLS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]")


# Recognised text with more errors than this is no reading of the page.
USABLE_OCR = 0.10


@dataclass(frozen=True, slots=True)
class Reading:
    """One file: what was expected, what came out, and the character error rate where there is a true text.

    `as_expected` is also true for a picture that could have been refused and was read by OCR instead.
    """

    filename: str
    expected: str
    outcome: str
    as_expected: bool
    picture: bool = False
    error_rate: float | None = None


def normalised(text: str) -> str:
    """Text as it is compared: NFC, no bidi controls, no table rules, single spaces."""
    plain = BIDI_CONTROLS.sub("", unicodedata.normalize("NFC", text)).replace("|", " ")
    return " ".join(plain.split())


def error_rate(text: str, truth: str) -> float:
    """Levenshtein distance over the length of the truth, after `normalised`."""
    found, wanted = normalised(text), normalised(truth)
    if not wanted:
        return float(bool(found))
    longest = max(len(found), len(wanted))
    # A bound makes long texts a thousand times cheaper; it is widened until the distance lies within it.
    for bound in (longest // 200, longest // 20, longest):
        distance = Levenshtein.distance(found, wanted, score_cutoff=bound)
        if distance <= bound:
            break
    return distance / len(wanted)


def texts_of(loaded: LoadedSet, *, database_url: str) -> dict[str, str]:
    """The stored texts of the set, by file name."""
    chunks = chunks_of_topic(database_url, topic_id=loaded.topic_id)
    return {
        loaded.sources[source_id]: joined(of_source)
        for source_id, of_source in groupby(chunks, key=lambda chunk: chunk.source_id)
        if source_id in loaded.sources
    }


def check(dataset: DataSet, loaded: LoadedSet, *, texts: Mapping[str, str]) -> list[Reading]:
    """Compare every file of the set with what its index says of it."""
    return [
        judge(
            document.filename,
            dataset.expectations[document.filename],
            outcome=outcome_of(document.filename, loaded),
            text=texts.get(document.filename),
        )
        for document in tqdm(dataset.documents, desc=f"{dataset.name}: compare", unit="file")
    ]


def outcome_of(filename: str, loaded: LoadedSet) -> str:
    """`ok`, `lost`, or the code with which the upload was refused or the job failed."""
    if filename in loaded.lost:
        return "lost"
    return loaded.refused.get(filename) or loaded.failed.get(filename) or "ok"


def judge(filename: str, expectation: Expectation, *, outcome: str, text: str | None) -> Reading:
    """Hold one file's outcome, and the text that is stored of it, against what was expected."""
    rate = None
    if outcome == "ok" and text is not None and expectation.truth is not None:
        rate = error_rate(text, expectation.truth.read_text(encoding="utf-8"))
    recognised = outcome == "ok" and "no_text_layer" in expectation.outcomes
    usable = rate is None or rate <= USABLE_OCR
    return Reading(
        filename=filename,
        expected=" or ".join(sorted(expectation.outcomes)),
        outcome=outcome,
        as_expected=usable if recognised else outcome in expectation.outcomes,
        picture=expectation.picture,
        error_rate=rate,
    )
