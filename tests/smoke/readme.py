"""The README's commands, and what each block of them must print."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.smoke import Failed

START = "Start"
# What stands in the output of the blocks below each heading, in the order of the blocks.
PRINTED: dict[str, tuple[tuple[str, ...], ...]] = {
    "Search": ((r'"slug": ?"general"', r'"match": ?"citation"', r'"section": ?"7"'),),
    "Take documents in": (
        ("1 searchable, 0 failed", r'"match": ?"citation"', "לכל שתי דירות"),
        (r'"status": ?"queued"', r'"filename": ?"rooms.md"'),
    ),
    "Ask": ((r'"status": ?"answered"', "event: sources", "event: done"),),
    "Connect an agent": ((r"<passage-\w+ n=", "חניית אופניים"),),
}


@dataclass(frozen=True)
class Block:
    """A block of commands, the heading that it stands under, and what it must print (regular expressions)."""

    heading: str
    script: str
    printed: tuple[str, ...] = ()


def blocks(text: str) -> Iterator[Block]:
    """The `sh` blocks of a README; the first is `make run`. Raises Failed when they are not those of PRINTED."""
    expected = {heading: list(outputs) for heading, outputs in PRINTED.items()}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading = part.partition("\n")[0].strip()
        for script in re.findall(r"^```sh\n(.*?)^```$", part, flags=re.MULTILINE | re.DOTALL):
            if heading == START:
                yield Block(heading, script)
            elif expected.get(heading):
                yield Block(heading, script, expected[heading].pop(0))
            else:
                raise Failed(f"The README has a block under {heading!r} of which tests/smoke/readme.py does not know.")
    if missing := [heading for heading, outputs in expected.items() if outputs]:
        raise Failed(f"The README has no block any more under: {', '.join(missing)}.")


def check(block: Block, output: str) -> None:
    """Raises Failed when the output lacks something."""
    for pattern in block.printed:
        if not re.search(pattern, output):
            raise Failed(f"The README's block under {block.heading!r} did not print {pattern!r}, but:\n{output}")
