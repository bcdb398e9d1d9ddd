"""Whether a statement has the words of another provision of the act than the one it cites, which says nothing alike."""

from answers.checking.verdicts.cited import place_of
from answers.checking.verdicts.findings import Location
from answers.checking.verdicts.phrases import PhraseFinder
from answers.checking.verdicts.stated.statements import Statement
from answers.checking.verdicts.texts import ProvisionTexts
from law.checking.comparing import QuotedWords
from law.patterns import regex
from law.references.mentions import read_references
from law.words.stop_words import content_stems
from sources import provisions
from sources.models import Provision

MIN_WORDS = 10  # in a row that the other provision has
MAX_LEAD = 4  # words before them, such as `it is clear that`
MAX_SHARED = 0.5  # of their telling words, that the cited section may have
_WORD = regex(r"\S+")


def stands_elsewhere(stated: Statement, *, phrases: PhraseFinder, texts: ProvisionTexts) -> Location | None:
    """Where the words stand, None where they do not, or the statement may be of the cited provision all the same.

    That may be where one of the two provisions has the other's number.
    """
    cited = stated.citations[0]
    section, source, words = cited.section, cited.source, list(_WORD.finditer(stated.taken))
    if section is None or source is None or cited.is_guessed or len(words) < MIN_WORDS:
        return None
    law = texts.of(section).text
    if _share(stated.taken, law) > MAX_SHARED:
        return None
    last = QuotedWords(stated.taken[words[-MIN_WORDS].start() :])
    found = phrases.find(last, source_id=source.pk, elsewhere=False)
    holder = _holder(source.pk, found[1].eid) if found else None
    if holder is None or holder.eid == section.eid:
        return None
    other = texts.of(holder)
    leads = words[: min(MAX_LEAD, len(words) - MIN_WORDS) + 1]
    if not any(other.find(QuotedWords(stated.taken[word.start() :])) for word in leads):
        return None
    is_linked = _cites(law, holder.number) or _cites(other.text, section.number)
    return None if is_linked else place_of(source, holder.eid, holder.number)


def _holder(source_id: int, eid: str) -> Provision | None:
    return provisions.holders([(source_id, eid)]).get((source_id, eid))


def _share(said: str, law: str) -> float:
    own = content_stems(said)
    return len(own & content_stems(law)) / max(len(own), 1)


def _cites(text: str, number: str) -> bool:
    """Whether a provision cites a section of its own act by this number."""
    cited = read_references(text, (), title="", kind="")
    return any(number in (one.number, one.first, one.last) for one in cited)
