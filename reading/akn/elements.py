"""Elements of Akoma Ntoso, one inside the other, written as they are opened and closed."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from lxml import etree

NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Elements:
    """What lxml's `xmlfile` writes, in the namespace of the standard and without what XML cannot hold."""

    def __init__(self, xml: Any) -> None:
        self._xml = xml

    def root(self) -> AbstractContextManager[None]:
        """The element that holds all others."""
        opened: AbstractContextManager[None] = self._xml.element(f"{{{NAMESPACE}}}akomaNtoso", nsmap={None: NAMESPACE})
        return opened

    def element(self, name: str, attributes: Mapping[str, str] | None = None) -> AbstractContextManager[None]:
        """An element that holds what is written until the context ends."""
        values = {key: permitted(value) for key, value in (attributes or {}).items()}
        opened: AbstractContextManager[None] = self._xml.element(f"{{{NAMESPACE}}}{name}", values)
        return opened

    def empty(self, name: str, /, **attributes: str) -> None:
        """An element that holds nothing."""
        with self.element(name, attributes):
            pass

    def text(self, text: str) -> None:
        """Text of the innermost open element."""
        if text:
            self._xml.write(permitted(text))

    def comment(self, text: str) -> None:
        """A remark for who reads the file, which is no part of the document."""
        self._xml.write(etree.Comment(text))


def permitted(text: str) -> str:
    """The text without the control characters that XML forbids. Direction marks stay."""
    return _FORBIDDEN.sub("", text)
