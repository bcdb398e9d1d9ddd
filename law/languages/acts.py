"""What a language says of how running text names acts."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class ActWords:
    """How running text names acts. Patterns respect case, an empty one is left out. White space is one space.

    Most are matched where an act is named, and hold its name as the group `title`, or the word for its type as the
    group `genre`.
    """

    hints: tuple[str, ...] = ()  # beginning with a letter: one is in each name
    lead: str = ""  # between the beginning of the word and the hint, where the name begins there
    before: str = ""  # else searched up to the hint: the beginning of the name
    inserted_by: str = ""  # between a citation and what follows: `(inserted by section 6 of the Ports Act 2010)`
    link: str = ""  # between a citation and the name: `of the`
    proposed: str = ""  # searched up to the beginning of a name: the act of which is only proposed
    prefix: str = ""  # before a name that a document has given: `the`
    dated: str = ""  # a title with its year, and without it as the group `name`
    short: str = ""  # a title without its year, as far as its words alone can tell
    sure: str = ""  # the same where no section is cited, and words that only begin like a title are likelier
    explained: str = ""  # a title up to the end of the definition that it stands in
    numbered: str = ""  # an act by its number, wherever it stands: `Law No. 4 of 2013`, `2011, c. 15`
    own: str = ""  # `this Act`
    anaphor: str = ""  # `that Act`: the one named last
    thereof: str = ""  # matched behind a citation: of the act named last
    led: str = ""  # a title that begins with the word for its type: `the Code of Civil Procedure`
    number_behind: str = ""  # between a title and the act's number: `Ports Act (Act 284)`
    bare: str = ""  # `the Act`: which one the document has to say
    abridged: str = ""  # `the Act of 2010`: its type, and the year as the group `year`
    # Matched right behind a citation
    abbreviated: str = ""  # ` of the TFEU`, as the group `alias`
    foreign_unit: str = ""  # matched at a citation: behind it an act may be named in another language
    foreign: str = ""  # that name, as the group `alias`: ` du Code civil`, ` BGB`
    lands: tuple[str, ...] = ()  # behind a citation, before the number of an act: `s 12 Malta Cap 386`
    types: Mapping[str, str] = field(default_factory=dict)  # how titles write a word for a type, where it differs
    # What a document calls an act, as the group `alias` without its article; the group `here`: only in this section
    defined_after: str = ""  # matched behind the title
    joined: str = ""  # matched behind a name: another one follows: ` and the `
    called: str = ""  # matched behind the title: a name in quotation marks follows: `, which is referred to as `
    defined_before: str = ""  # searched up to the title
    # Which act a citation without one is of
    same_before: str = ""  # searched up to a citation: it is of what was cited last: `ibid., `
    same_behind: str = ""  # matched behind a citation: the same
    of_work: str = ""  # searched up to a citation: it is of a book or the like: `op. cit., `
    before_sections: str = ""  # between a name and a citation of its sections
    name_before: str = ""  # searched up to a citation: an abbreviated name, as the group `title`: `Cal. Civ. Code § 5`
    short_unit: str = ""  # matched at such a citation
    foreign_units: tuple[tuple[str, str], ...] = ()  # titles, and the words for sections that such acts have none of
    # Regulations name the act that they are made under by its type alone
    secondary: str = ""  # matched: the title of such an instrument, with the name of the act as the group `subject`
    parents: Mapping[str, str] = field(default_factory=dict)  # by type: the title of the act, with the place `{}`
    # Sections that amend another act
    amends: str = ""  # searched: words that change another act
    leads_new_law: str = ""  # searched: a line below which new law stands without quotation marks, with its line feed
    amends_line: str = ""  # searched: a line below new law that amends again
    amendment_lead: str = ""  # before its name at the beginning of a line: `In the`
    opens_amendment: str = ""  # matched behind the act's name at the beginning of a line
    # Judgments and circulars
    identifier_before: str = ""  # searched up to a number of several parts, as the group `identifier`
    to_case: str = ""  # between a citation and the number of the circular it is of: ` of `
    to_paragraph: str = ""  # between a judgment and a paragraph of it: `, at `. With the group `near` not of a section
    pinpoint: str = ""  # such a paragraph by its number alone, as the group `number`: ` at [25]`
    of_this: str = ""  # behind a paragraph of the judgment itself: `paragraph 12 above`
    # Queries, in which nothing tells where a name ends
    asked: str = ""  # beside a section's number, with the groups `name` and, inside it, `type`
    editorial_words: frozenset[str] = frozenset()  # in which editions of one act differ: `new version`
    amending_words: frozenset[str] = frozenset()  # in brackets of a title: an act that amends the one without them
