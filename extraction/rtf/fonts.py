"""The fonts of an RTF: by which code page their bytes are read, and which have signs in the places of letters."""

from extraction.rtf.words import CODE_PAGES, KNOWN_PAGES, PAGE_WORDS
from extraction.text.symbols import is_of_signs, sign, with_signs


class Fonts:
    """The table of fonts, by their numbers."""

    def __init__(self) -> None:
        self._page = "cp1252"
        self._pages: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._of_signs: set[int] = set()

    def set_page(self, word: str, number: int, font: int) -> None:
        """What a word says of the code page: of a font, or of those that name none."""
        page = f"cp{number}" if f"cp{number}" in KNOWN_PAGES else ""
        if word == "fcharset":
            self._pages[font] = CODE_PAGES.get(number) or self._pages.get(font, "")
        elif word == "cpg" and page:
            self._pages[font] = page
        elif word != "cpg":
            self._page = page or PAGE_WORDS[word] or self._page

    def add_name(self, font: int, name: str) -> None:
        """Add a part of a font's name."""
        self._names[font] = self._names.get(font, "") + name
        (self._of_signs.add if is_of_signs(self._name(font)) else self._of_signs.discard)(font)

    def decoded(self, content: bytes, font: int) -> str:
        """Bytes as text."""
        if font in self._of_signs:
            return content.decode("latin-1")
        page = self._pages.get(font) or self._page
        return content.decode("utf-8" if page == "cp65001" else page, "replace")

    def meant(self, text: str, font: int) -> tuple[str, int]:
        """A text as it is seen in a font, and how many of its characters are not known."""
        name = self._name(font)
        if font not in self._of_signs:
            return with_signs(text, name)
        signs = [char if char.isspace() else sign(ord(char), name) for char in text]
        return "".join(signs), signs.count("")

    def _name(self, font: int) -> str:
        return self._names.get(font, "").split(";")[0]
