"""How RTF is written: the control words that its reader knows, and the fonts by which bytes are read."""

import re

from extraction.document import LostWhat
from extraction.text.raised import Lowered, Raised
from extraction.text.symbols import is_of_signs, sign, with_signs

TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n\0]+)|[\r\n\0]+|\\",
    re.DOTALL,
)
SIGNS = {"~": "\xa0", "_": "\u2011", "{": "{", "}": "}", "\\": "\\"}
WORDS = {
    **{"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"},
    **{"line": "\n", "emspace": " ", "enspace": " ", "qmspace": " ", "lbr": "\n"},
}
PLACES: dict[str, type[str]] = {"super": Raised, "sub": Lowered, "nosupersub": str, "up": Raised, "dn": Lowered}
BREAKS = frozenset({"page", "column"})  # also inside of a paragraph
PARAGRAPH_ENDS = BREAKS | {"par", "sect"}
# Groups that hold no text of the document, besides those of LOST. So does any that begins with `\*`, but for those that
# are read.
_WITHOUT_TEXT = (
    "atnauthor atnid colortbl datafield filetbl ftncn ftnsep ftnsepc info listtable listoverridetable "
    "nonshppict objdata pict pntxta pntxtb revtbl rsidtbl rxe shprslt sp stylesheet tc themedata txe xe xmlnstbl"
)
NO_TEXT = frozenset(_WITHOUT_TEXT.split())
READ_THOUGH_STARRED = frozenset({"shpinst", "footnote", "do"})
# Code pages by the number of a font's character set.
CODE_PAGES = {
    **{77: "mac_roman", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254"},
    **{163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250"},
}
KNOWN_PAGES = {f"cp{number}" for number in (437, 850, 862, 866, 874, 932, 936, 949, 950, *range(1250, 1259), 65001)}
# Words that tell of code pages, and the one that they name by themselves.
PAGE_WORDS = {"ansicpg": "", "cpg": "", "fcharset": "", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
# Groups whose text is not passed on, and is told.
LOST = {
    "annotation": LostWhat.NOTE,
    **dict.fromkeys(("moMath", "moMathPara"), LostWhat.FORMULA),
    **dict.fromkeys(
        ("header", "headerf", "headerl", "headerr", "footer", "footerf", "footerl", "footerr"), LostWhat.MARGIN
    ),
}
FIRST_PAGE = frozenset({"headerf", "footerf"})
BOXES = frozenset({"shptxt", "dptxbxtext"})
MOVED, MOVED_FROM = frozenset({"up", "dn"}), 6  # half points. Less is for looks.


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
