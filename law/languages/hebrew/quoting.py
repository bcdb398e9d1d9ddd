"""What matters in a quotation from a Hebrew law."""

from pathlib import Path

from law.languages.protocol import QuotingWords
from law.languages.words import read_words

QUOTING = read_words(Path(__file__).with_name("quoting.toml"), QuotingWords)
