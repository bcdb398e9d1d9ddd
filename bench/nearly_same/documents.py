"""The documents: 1,000 that differ, 100 of them as files of two formats."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from pathlib import Path

from playwright.sync_api import sync_playwright
from tqdm import tqdm

from bench.datasets import json_lines
from bench.nearly_same.two_formats import FORMATS, writers

DIFFERENT = 1_000
PAIRS = {"law": 60, "act": 20, "rules": 20}
CHARACTERS_OF_A_PAIR = 20_000  # of its text that are made files of: more than is compared


@dataclass(frozen=True, slots=True)
class Document:
    """A document of its own. `path` is what is published, `again` the same text in another format, if there is one."""

    name: str
    path: str
    again: str = ""
    formats: tuple[str, str] = ("", "")


def texts(root: Path) -> Iterator[tuple[str, str, str]]:
    """The set, name and text of each document; of 40 acts one version each."""
    laws = root / "israeli-law"
    for row in json_lines(laws / "index.jsonl"):
        yield "law", row["file"], (laws / "files" / row["file"]).read_text("utf-8")
    acts = {row["act"]: row["file"] for row in json_lines(root / "versions" / "index.jsonl")}
    for file in acts.values():
        yield "act", file, (root / "versions" / "files" / file).read_text("utf-8")
    for path in sorted((root / "obliqa" / "files").iterdir()):
        yield "rules", path.name, path.read_text("utf-8")
    for row in json_lines(root / "hebrew-qa" / "paragraphs-dev.jsonl"):
        yield "paragraph", f"paragraph-{row['id']}.txt", row["text"]
    for row in json_lines(root / "obliqa" / "passages.jsonl"):
        if len(row["text"]) > 1_500:
            yield "passage", f"passage-{row['document']}-{row['passage']}.txt", row["text"]


def make(root: Path, folder: Path) -> list[Document]:
    """The documents with their files."""
    seen, documents, left = set[str](), list[Document](), dict(PAIRS)
    formats = iter([pair for _ in range(6) for pair in permutations(FORMATS, 2)])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        write = writers(browser)
        for number, (kind, name, text) in enumerate(tqdm(list(islice(texts(root), 2 * DIFFERENT)), desc="files")):
            words = " ".join(re.findall(r"\w+", text))
            if words in seen or len(documents) == DIFFERENT:
                continue
            seen.add(words)
            if left.get(kind):
                left[kind] -= 1
                pair = next(formats)
                paths = [folder / f"{number}-{side}.{FORMATS[one]}" for side, one in enumerate(pair)]
                for path, one in zip(paths, pair, strict=True):
                    write[one](path, text[:CHARACTERS_OF_A_PAIR])
                documents.append(Document(name, str(paths[0]), str(paths[1]), pair))
            else:
                path = folder / f"{number}.txt"
                path.write_text(text, "utf-8")
                documents.append(Document(name, str(path)))
        browser.close()
    return documents
