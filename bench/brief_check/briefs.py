"""The briefs: items laid out as text, with what is known of where each of them stands."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bench.brief_check.errors import KINDS, OF_VERSIONS, Item, true_item
from bench.brief_check.laws import LawText
from bench.brief_check.manners import altered, frame

BRIEFS, ERRORS = 60, 500
ITEMS = (20, 40)  # of a brief
TRIES = 60


@dataclass(frozen=True)
class Placed:
    """An item, and where in its brief its citation and its quotation stand."""

    item: Item
    cited: tuple[int, int]
    quoted: tuple[int, int]


def make_briefs(laws: Sequence[LawText], style: random.Random) -> Iterator[tuple[str, list[Placed]]]:
    kinds = [kind for kind in KINDS for _ in range(ERRORS // len(KINDS) + 1)][:ERRORS]
    style.shuffle(kinds)
    anywhere = [kind for kind in kinds if kind != OF_VERSIONS]
    shares = [anywhere[place::BRIEFS] for place in range(BRIEFS)]
    for number in range(len(kinds) - len(anywhere)):  # no Hebrew law of the data sets has versions
        shares[(2 * number + 1) % BRIEFS].append(OF_VERSIONS)
    for place, share in enumerate(shares):
        hebrew = place % 2 == 0
        own = [law for law in laws if law.is_hebrew == hebrew]
        yield laid_out(list(items_of(own, share, style)), style, hebrew=hebrew)


def items_of(
    laws: Sequence[LawText], kinds: Sequence[str], style: random.Random, *, most: int | None = None
) -> Iterator[Item]:
    """As many true ones as a brief may have, with the errors among them. With `most`, about so many together."""
    in_force = [law for law in laws if not law.repealed]
    chosen = style.sample(in_force, 5)
    groups: list[list[Item]] = []  # of which the second cites the act of the first
    while sum(map(len, groups)) < (most or style.randint(*ITEMS)) - len(kinds):
        law, group = style.choice(chosen), []
        for again in (False, True)[: 1 + (style.random() < 0.3)]:
            one = true_item(law, style.choice(law.sections), style=style, again=again)
            if one is None:
                break
            group.append(replace(one, quote=altered(one.quote, style=style)) if style.random() < 0.2 else one)
        groups.append(group)
    groups += [[error] for kind in kinds if (error := _error(kind, chosen, in_force, laws, style))]
    style.shuffle(groups)
    for group in groups:
        yield from group


def _error(
    kind: str, chosen: Sequence[LawText], in_force: Sequence[LawText], laws: Sequence[LawText], style: random.Random
) -> Item | None:
    make, _ = KINDS[kind]
    for attempt in range(TRIES * 5):
        law = style.choice(chosen if attempt < TRIES else in_force)
        if item := make(law, style.choice(law.sections), laws, style):
            return replace(item, kind=kind)
    return None


def laid_out(items: Sequence[Item], style: random.Random, *, hebrew: bool) -> tuple[str, list[Placed]]:
    text = "כתב טענות מטעם המשיבים\n\n" if hebrew else "SKELETON ARGUMENT FOR THE RESPONDENTS\n\n"
    placed = []
    for number, item in enumerate(items, 1):
        again = any(word in item.citation for word in ("that ", "said ", "ibid", "האמור", "שם,"))
        lead = f"{number}. " if style.random() < 0.5 else ""
        parts = frame(item.citation, item.quote, style=style, hebrew=hebrew)
        text += lead if not again else ""
        cited, quoted = (_span(parts, mark, offset=len(text)) for mark in ("\x01", "\x02"))
        text += _bare(parts)
        placed.append(Placed(item, cited, quoted))
        text += " " if again or style.random() < 0.2 else "\n\n"
    return text, placed


def _span(parts: str, mark: str, *, offset: int) -> tuple[int, int]:
    """Where the text between two marks will stand."""
    first = parts.index(mark)
    second = parts.index(mark, first + 1)
    return offset + len(_bare(parts[:first])), offset + len(_bare(parts[:second]))


def _bare(parts: str) -> str:
    return parts.replace("\x01", "").replace("\x02", "")
