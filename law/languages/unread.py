"""What a language says of names of instruments that none of its forms reads."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class UnreadWords:
    """Lists of words, in small letters. A space ends what is a word of its own, and not a prefix of the next.

    Behind a joining word stands what a provision is of. So whatever looks like the name or number of an instrument
    there, and is not read, is another document.
    """

    surely_of: tuple[str, ...] = ()  # behind them any name or number is an instrument's: `of`
    joining: tuple[str, ...] = ()  # behind them one that has a word for instruments, or a number: `to`
    loosely: tuple[str, ...] = ()  # behind them one that has such a word with a capital, or a number: `in`
    articles: tuple[str, ...] = ()  # between the two
    own: tuple[str, ...] = ()  # in place of an article: then it is this document
    inside: tuple[str, ...] = ()  # words of a name between its capitals
    plain: tuple[str, ...] = ()  # words before one for instruments that then is none: `the definition agreement`
    instruments: tuple[str, ...] = ()  # what has sections: `ordinance`, `lease`
    plans: tuple[str, ...] = ()  # what has some too, but only what is said to be of it is: `section 4 of the plan`
    places: tuple[str, ...] = ()  # words with a capital that go before a number and are parts of any document: `Table`
    numbered: tuple[str, ...] = ()  # before a number, they make it that of an instrument: `no`, `c`
    series: tuple[str, ...] = ()  # before a number, they say of which series it is: `circular`, not `appeal`
    abroad: tuple[str, ...] = ()  # patterns of words of other languages that name an act right before `§` or `art.`
    printed_in: tuple[str, ...] = ()  # patterns of what acts are printed in: `, Acts of the 70th Legislature`
    in_it: tuple[str, ...] = ()  # behind a citation: of what is named right before it
    notes: tuple[str, ...] = ()  # how a note on the history of a provision begins: `History`, `Source`
