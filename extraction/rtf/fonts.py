"""The fonts of an RTF: by which code page their bytes are read, and which have signs in the places of letters."""

from extraction.rtf.words import CODE_PAGES, KNOWN_PAGES
from extraction.text.symbols import is_of_signs, sign, with_signs


class Fonts:
    """The table of fonts, by their numbers."""

    def __init__(self) -> None:
        self._page = "cp1252"
        self._pages: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._of_signs: set[int] = set()

    def set_page(self, number: int) -> None:
        """The code page of fonts that name none."""
        self._page = f"cp{number}" if f"cp{number}" in KNOWN_PAGES else self._page

    def describe(self, font: int, *, charset: int | None = None, name: str = "") -> None:
        """Add what the table says of a font: its character set, or a part of its name."""
        if charset in CODE_PAGES:
            self._pages[font] = CODE_PAGES[charset]
        if name:
            self._names[font] = self._names.get(font, "") + name
            (self._of_signs.add if is_of_signs(self._name(font)) else self._of_signs.discard)(font)

    def decoded(self, content: bytes, font: int) -> str:
        """Bytes as text."""
        if font in self._of_signs:
            return content.decode("latin-1")
        page = self._pages.get(font, self._page)
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
