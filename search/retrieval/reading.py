"""The last step of a search: the passages that are still there, and what of the query each holds."""

import json
from collections.abc import Sequence
from datetime import date
from functools import lru_cache, partial
from typing import Any

from kb_project.database.rows import fetch
from kb_project.observability import tracing
from law.chunking.packing import TablePart
from law.citations.parsing import ParsedQuery
from law.kinds import STATUTORY_KINDS
from law.structure.definitions import DefinitionRequest, defined_words
from law.timeline import Period
from law.words.analysis import Place, Term, term_of, term_positions, terms
from law.words.spellings import SpelledWords, discriminative_stems, shown
from search.embedders import wanted
from search.ranking.term_coverage import Weights
from search.results import LabelCard, Match, Mode, Retrieval, ScoredChunk, SearchHit, SourceCard
from search.retrieval.candidates import MAX_DEFINING, Candidates
from search.retrieval.query_plan import QueryPlan
from sources.citations import CitedClause, is_name_of, named_act
from sources.fields import COLUMNS
from sources.models import Source
from sources.validity import current_day, is_followed_sql, said, status_on

# Of passages that end, those whose section is printed again, in force from then on. Few end, so this is asked apart.
_FOLLOWED = """
SELECT c.id FROM kb_chunk c WHERE c.id = ANY(%s::bigint[]) AND EXISTS (SELECT FROM kb_chunk next_one
    WHERE next_one.source_id = c.source_id AND next_one.section_key = c.section_key
    AND next_one.valid_from >= c.valid_to)
"""
_PASSAGES = f"""
SELECT c.id, c.text, c.page, c.section, c.heading, c.path, c.eid, c.span_start, c.span_end, c.tables::text,
    c.valid_from, c.valid_to,
    s.id, s.topic_id, s.work_id, s.consolidation IS NOT NULL, {is_followed_sql("s")},
    {", ".join(f"s.{column}" for column in COLUMNS)},
    (SELECT json_agg(json_build_array(l.id, l.slug, l.name) ORDER BY l.name, l.id)::text
        FROM kb_source_label sl JOIN kb_label l ON l.id = sl.label_id WHERE sl.source_id = s.id)
FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id WHERE c.id = ANY(%s::bigint[])
"""
MAX_WORDS = 100  # words; no term that is defined has as many
_ENDS = 10  # where a row has `valid_to`, behind its id


def read_results(plan: QueryPlan, candidates: Candidates, ranked: Sequence[ScoredChunk]) -> Retrieval:
    """What was found, with the passages of a ranking that are still there."""
    weights = plan.weights
    day = plan.scope.as_of or current_day()
    with tracing.span("read passages"):
        hits = read_hits(
            ranked,
            query=plan.parsed,
            names_act=bool(candidates.named.source_ids or candidates.cited.source_ids),
            shown_stems=plan.shown_stems,
            wordings=weights,
            day=day,
            asked=plan.asked if plan.may_move else (),
            limit=candidates.limit,
        )
    if plan.lacks_vectors and plan.mode is not Mode.LEXICAL:
        wanted.note([hit.chunk_id for hit in hits if hit.similarity is None])
    # A word that a hit has was not misspelt: what was published a moment ago is not counted yet.
    texts = [f"{hit.source.title}\n{hit.heading}\n{hit.text}" for hit in hits] if plan.corrections else []
    stems = ((one, frozenset(term.stem for term in terms(one.word))) for one in plan.corrections)
    corrected = tuple(one for one, its in stems if not any(term_positions(texts, its)))
    cited = candidates.cited
    titles = None if cited.not_found else candidates.titles
    acts = [(hit.source.title, hit.source.topic_id) for hit in hits if hit.source.kind in STATUTORY_KINDS]
    found = Retrieval(
        query=plan.parsed.text,
        mode=plan.mode,
        hits=hits,
        weights=weights[0],
        by_sentence=plan.sentence is not None,
        expanded=(*(wording.text for wording in plan.expansions), *plan.meanings),
        not_found=cited.not_found,
        unread=cited.unread,
        corrected=corrected,
        operators=plan.parsed.operators.signs,
        named_id=named_act(plan.parsed, titles, among=acts, scope=plan.scope) if titles else None,
        asked=plan.asked,
        lacking=plan.lacking,
    )
    return candidates.selection.described(found)


def read_hits(
    ranked: Sequence[ScoredChunk],
    *,
    query: ParsedQuery,
    names_act: bool,
    shown_stems: Sequence[frozenset[str]],
    wordings: Sequence[Weights],
    day: date,
    asked: DefinitionRequest = (),
    limit: int | None = None,
) -> tuple[SearchHit, ...]:
    """The first `limit` passages of a ranking, in its order. One deleted since is left out.

    Those of its first that define what is `asked` come before others, behind what is cited.

    `shown_stems` are those of the words to be highlighted: of the query, then those of each meaning, of which none is
    shown where not all stand. `names_act` says whether the query names an act: the words of that name tell nothing.
    `wordings` are the query and its expansions. Of the `day` is the status of their sources.
    """
    rows = {row[0]: row[1:] for row in fetch(_PASSAGES, [[row.chunk_id for row in ranked]])}
    labels: dict[str | None, tuple[LabelCard, ...]] = {
        text: _labels(text) for text in {row[-1] for row in rows.values()}
    }
    ending = [chunk_id for chunk_id, row in rows.items() if row[_ENDS]]
    followed_ones = {row[0] for row in fetch(_FOLLOWED, [ending])} if ending else set()
    if asked and len(ranked) > 1:
        first = ranked[:MAX_DEFINING]
        texts = {row.chunk_id: rows[row.chunk_id][0] for row in first if row.chunk_id in rows}
        defined = {chunk_id: defined_words(text, asked) for chunk_id, text in texts.items()}
        defined |= {row.chunk_id: MAX_WORDS for row in first if row.match is Match.CITATION}
        moved = sorted(first, key=lambda row: defined.get(row.chunk_id, 0), reverse=True)
        # Each takes the score of the place that it comes to.
        first = [row._replace(score=place.score) for row, place in zip(moved, first, strict=True)]
        ranked = [*first, *ranked[MAX_DEFINING:]]
    there = [row for row in ranked[:limit] if row.chunk_id in rows]
    places_of = term_positions(
        [rows[row.chunk_id][0] for row in there],
        frozenset[str]().union(*shown_stems, *(weights.stems for weights in wordings)),
    )
    today = current_day()

    cards: dict[
        tuple[Any, ...], tuple[SourceCard, Sequence[Term], frozenset[str]]
    ] = {}  # several hits are of one source
    hits: list[SearchHit] = []
    for (chunk_id, score, match, similarity, clauses), found in zip(there, places_of, strict=True):
        text, page, section, heading, path, eid, start, end, tables, *rest, label_list = rows[chunk_id]
        passage_from, passage_to, source_id, topic_id, work_id, made_here, followed, *values = rest
        parts = TablePart.stored(json.loads(tables)) if tables != "[]" else ()
        card = source_id, passage_from, passage_to, chunk_id in followed_ones
        if card not in cards:
            about = dict(zip(COLUMNS, values, strict=True))
            days = Period(passage_from, passage_to).within(Period(about["valid_from"], about["valid_to"]))
            if days.end == passage_to != about["valid_to"]:
                followed = chunk_id in followed_ones
            source = SourceCard.of_columns(
                about | {"valid_from": days.begin, "valid_to": days.end},
                id=source_id,
                topic_id=topic_id,
                work_id=work_id,
                status=status_on(day, days, is_followed=bool(followed)),
                holds=said(
                    days,
                    kind=about["kind"],
                    is_followed=bool(followed),
                    on=day,
                    today=today,
                    is_consolidated=made_here,
                ),
                labels=labels[label_list],
            )
            name, name_stems = _name_of(f"{source.title}\n{source.identifier}")
            told = shown_stems[0]
            names = bool(query.references) or (source.kind in STATUTORY_KINDS and is_name_of(query, source.title))
            if names_act or names:
                told = discriminative_stems(told, name=name_stems, names=names)
            cards[card] = source, name, told
        source, name, told = cards[card]
        marked = told.union(*(meant for meant in shown_stems[1:] if meant <= {stem for *_, stem in found}))
        above = [row for part in parts for row in part.above]
        hits.append(
            SearchHit(
                rank=len(hits) + 1,
                score=score,
                match=match,
                chunk_id=chunk_id,
                text=text,
                highlights=_ranges(clauses)
                or tuple(shown(query.spelled.by_stem, text, [place for place in found if place[2] in marked])),
                page=page,
                section=section,
                heading=heading,
                path=tuple(path),
                eid=clauses[0].eid if clauses else eid,
                clauses=clauses,
                tables=parts,
                span_start=start,
                span_end=end,
                similarity=similarity,
                cover=partial(_coverage, wordings, name, "\n".join([section, heading, *above]), text, found),
                source=source,
            )
        )
    return tuple(hits)


def _coverage(
    wordings: Sequence[Weights], name: Sequence[Term], heading: str, text: str, found: Sequence[Place]
) -> float:
    """What the name of a source, a passage's heading and the words that were met in its text hold of the query."""
    held = [*name, *terms(heading), *map(term_of, {text[start:end] for start, end, _ in found})]
    return max(weights.share(held) for weights in wordings)


@lru_cache(maxsize=2_000)  # several hits are of one source
def _name_of(name: str) -> tuple[Sequence[Term], frozenset[str]]:
    """The terms of a name, and the stems by which its words are met."""
    found = terms(name)
    return found, SpelledWords(found).matched_stems


def _ranges(clauses: Sequence[CitedClause]) -> tuple[tuple[int, int], ...]:
    """Where the clauses stand, in the order of the text. One inside another is left out."""
    ranges: list[tuple[int, int]] = []
    for clause in sorted(clauses, key=lambda one: (one.start, -one.end)):
        if not ranges or clause.start >= ranges[-1][1]:
            ranges.append((clause.start, clause.end))
    return tuple(ranges)


def _labels(text: str | None) -> tuple[LabelCard, ...]:
    """The labels of a source, from the JSON that the statement makes of them."""
    return tuple(LabelCard(id=label_id, slug=slug, name=name) for label_id, slug, name in json.loads(text or "[]"))


def read_act(source_id: int | None) -> Source | None:
    """The source with its labels, if it is an act: a title of another kind is often but a subject."""
    if source_id is None:
        return None
    acts = Source.objects.filter(pk=source_id, kind__in=STATUTORY_KINDS)
    return acts.prefetch_related("labels__aliases").first()
