"""The entries of a ZIP archive: their names, those that are no documents, and those that cannot be unpacked."""

import re
import stat
import zipfile

_OF_SYSTEMS = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$|~\$)", re.I)
_HIDDEN = re.compile(r"(?:^|/)\.(?!\.)")
_A_DOCUMENT = re.compile(r"\.(?:pdf|docx?|odt|rtf|txt|html?|eml|msg|xls[xm]|ppt[xm]|tiff?|jpe?g|png)$", re.I)
_HERE = re.compile(r"(?:^|(?<=/))(?:\./+)+")
_LEADS_OUT = re.compile(r"[/\\]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)", re.DOTALL)
# Hebrew letters do not stand beside Latin ones. A letter that does is the accented one of another code page.
_HEBREW_BY_CODE_PAGE = {
    "cp862": re.compile(rb"(?:[\x00-\x7f]|(?<![A-Za-z])[\x80-\x9a]+(?![A-Za-z]))*"),
    "cp1255": re.compile(rb"(?:[\x00-\x7f\x91-\x97\xa0-\xbf]|(?<![A-Za-z])[\xe0-\xfa]+(?![A-Za-z]))*"),
}
_UNICODE_NAME, _BEFORE_NAME = 0x7075, 5  # the extra field of Info-ZIP, its version and checksum
_IS_UTF8 = 0x800
_UNPACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA})
_PACKINGS = {1: "Shrink", 6: "Implode", 9: "Deflate64", 93: "Zstandard", 95: "XZ", 97: "WavPack", 98: "PPMd"}


def passed_over(info: zipfile.ZipInfo, name: str) -> bool:
    """Whether nobody would miss it: folders, what systems and Office keep beside documents, and hidden files.

    Hidden files that are named as documents are not passed over: on Windows nothing hides them.
    """
    if info.is_dir() or name.endswith("/") or _OF_SYSTEMS.search(name):
        return True
    return bool(_HIDDEN.search(name)) and not _A_DOCUMENT.search(name)


def leads_out(name: str) -> bool:
    """Whether an entry of this name would be unpacked outside of the archive's folder."""
    return _LEADS_OUT.match(name) is not None


def why_not(info: zipfile.ZipInfo, name: str) -> str:
    """Why a file in the archive is not taken in, as a sentence. "" if it is."""
    if stat.S_ISLNK(info.external_attr >> 16):
        return "It is a link to another file. Put the file itself into the archive."
    if _HIDDEN.search(name):
        return "It is hidden: its name or that of its folder begins with a full stop. Rename it and upload it again."
    if info.compress_type not in _UNPACKED:
        packing = _PACKINGS.get(info.compress_type, f"method {info.compress_type}")
        return f"It is compressed by {packing}, which is not read. Pack it as an ordinary ZIP (Deflate)."
    return ""


def name_of(info: zipfile.ZipInfo) -> str:
    """The name in the archive. One that is not marked as UTF-8 may be that all the same, or in a Hebrew code page."""
    return _HERE.sub("", _decoded_name(info).replace("\\", "/"))


def _decoded_name(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _IS_UTF8 or info.filename.isascii():
        return info.filename
    if name := _unicode_name(info.extra):
        return name
    raw = info.orig_filename.encode("cp437", "replace")  # as zipfile has read it
    encodings = ["utf-8", *(page for page, letters in _HEBREW_BY_CODE_PAGE.items() if letters.fullmatch(raw))]
    for encoding in encodings:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def _unicode_name(extra: bytes) -> str:
    """The name in the extra field that is there for it. "" if there is none."""
    while len(extra) >= 4:
        kind, length = (int.from_bytes(extra[at : at + 2], "little") for at in (0, 2))
        if kind == _UNICODE_NAME:
            return extra[4 + _BEFORE_NAME : 4 + length].decode("utf-8", "ignore")
        extra = extra[4 + length :]
    return ""
