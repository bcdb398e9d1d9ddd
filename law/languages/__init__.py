"""The languages of the documents. To add one, write a module with a `Language` and put it into the tuple.

Patterns are made of the words of all of them when the modules that hold the patterns are imported. Text is analysed
when it is indexed: after a change here, sources must be indexed anew.
"""

from law.languages.english import English
from law.languages.hebrew import Hebrew
from law.languages.protocol import Language

# Of a word with letters of none of the others, as it has been stemmed since the first index was made.
DEFAULT: Language = English()
LANGUAGES: tuple[Language, ...] = (Hebrew(), DEFAULT)

__all__ = ["DEFAULT", "LANGUAGES", "Language"]
