"""What an RTF says of a text until the group ends in which it says so."""

from dataclasses import dataclass

from extraction.document import LostWhat


@dataclass(frozen=True, slots=True)
class RtfGroup:
    """`uncounted`: characters to skip after one that is given by its number. `list_id` and `level`: of paragraphs."""

    skipped: bool = False
    lost: LostWhat | None = None
    first_page: bool = False
    captured: str = ""
    hidden: bool = False
    deleted: bool = False
    in_fonts: bool = False
    in_label: bool = False
    is_note: bool = False
    is_endnote: bool = False
    is_box: bool = False
    is_instruction: bool = False
    is_twofold: bool = False
    uncounted: int = 1
    font: int = -1
    place: type[str] = str
    list_id: int = 0
    level: int = 0
