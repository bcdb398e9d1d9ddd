"""The sentences that are stored with failed jobs, in English, said again in the reader's language.

Readers of files know no Django. So each of their sentences stands here once more, for translation.
"""

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

SENTENCES = (
    # of files of all kinds
    gettext_noop("The file is empty: it has 0 bytes."),
    gettext_noop("There is no text in the file."),
    gettext_noop("The file has no text to search."),
    gettext_noop("The file has %(n)s pages; at most %(most)s are accepted."),
    gettext_noop("Reading the file took longer than %(n)s seconds."),
    gettext_noop("The file stopped the program that reads it: it is damaged or needs too much memory."),
    gettext_noop(
        "Processing was cut off %(n)s times. The file may be damaged or too demanding; "
        "retry it, or save it in another format and upload it again."
    ),
    gettext_noop(
        "The characters of the file make no words in any known encoding. Save it as UTF-8 and upload it again."
    ),
    gettext_noop("The %(format)s file has more than %(n)s MB."),
    gettext_noop("The %(format)s file unpacks to %(n)s MB, more than is read."),
    gettext_noop("The %(format)s file is compressed in a way that is not read. Save it again and upload it."),
    gettext_noop("The %(format)s file needs a password. Save it without a password and upload it again."),
    gettext_noop("The %(format)s file is damaged or was cut off on its way. Upload it again."),
    # of one format
    gettext_noop("The PDF is protected by a password. Save it without a password and upload it again."),
    gettext_noop("The PDF is damaged and cannot be opened."),
    gettext_noop("The PDF has no pages."),
    gettext_noop("The PDF has only blank pages."),
    gettext_noop("None of the PDF's pages can be read."),
    gettext_noop(
        "The PDF is a form (XFA) that only Adobe's programs show. Print it there to another PDF and upload that."
    ),
    gettext_noop("The pages are images or carry unreadable text, and no OCR is available to read them."),
    gettext_noop("The Word file is damaged and LibreOffice cannot open it."),
    gettext_noop("LibreOffice took longer than %(n)s seconds."),
    gettext_noop(
        "This is an old Word file (.doc), which needs LibreOffice, and this server has none. "
        "Save it as DOCX or PDF and upload it again."
    ),
    gettext_noop("The Akoma Ntoso file is not well-formed XML. Upload it again."),
    gettext_noop("The image is damaged or was cut off on its way. Upload it again."),
    gettext_noop("The image has more than %(n)s million pixels. Scan it with fewer and upload it again."),
    gettext_noop("The image file has more than %(n)s pages."),
    gettext_noop("The images take more than %(n)s MB. Send them in parts."),
    gettext_noop("The message is damaged and cannot be read."),
    gettext_noop("The message has more than %(n)s MB."),
    gettext_noop("The message has more than %(n)s parts."),
    gettext_noop("The Outlook message is damaged. Save it again and upload it."),
    # of archives
    gettext_noop("A ZIP archive is no document. Upload it as a batch."),
    gettext_noop("There is no file in the archive."),
    gettext_noop("The archive holds more than %(n)s files. Send it in parts."),
    gettext_noop("The file holds more than %(n)s documents. Send it in parts."),
    gettext_noop("The file holds more than %(n)s entries. Send it in parts."),
    gettext_noop("Archives and messages lie more than %(n)s deep in it."),
    gettext_noop("The archive has a file that would lie outside of it: “%(name)s”. Nothing was taken in."),
    gettext_noop("What is in it is larger than may be sent at once. Nothing was taken in."),
    # of what is no document
    gettext_noop("This is an SVG image. These can be read: %(formats)s."),
    gettext_noop("The file is named .pdf but is not a PDF. These can be read: %(formats)s."),
    gettext_noop("This is an OpenDocument file that is no text. These can be read: %(formats)s."),
    gettext_noop("This is XML of legislation.gov.uk. Upload what is there as Akoma Ntoso instead (data.akn)."),
    gettext_noop("This is XML of EUR-Lex (Formex). Upload what is there as HTML or PDF instead."),
    gettext_noop("This is XML of a kind that is not read (<%(name)s>). These can be read: %(formats)s."),
    gettext_noop("This is a binary file. These can be read: %(formats)s."),
    gettext_noop("This is an old Word or web archive file. Save it as DOCX and upload it again."),
    gettext_noop("This is an old Excel workbook (.xls). Save it as XLSX and upload it again."),
    gettext_noop("This is an old PowerPoint presentation (.ppt). Save it as PPTX and upload it again."),
    gettext_noop("This is an old Office file. These can be read: %(formats)s."),
    gettext_noop("This is an archive of very many files. These can be read: %(formats)s."),
    gettext_noop("This is a damaged archive. These can be read: %(formats)s."),
    gettext_noop("This is a binary Excel workbook (.xlsb). Save it as XLSX and upload it again."),
    gettext_noop("This is an electronic book (EPUB). Save it as PDF and upload it again."),
    gettext_noop(
        "This is a file of Apple's Pages, Numbers or Keynote. Export it as DOCX, XLSX, PPTX or PDF and upload that."
    ),
    gettext_noop("This is an XPS document. Print it to PDF and upload it again."),
    gettext_noop("This is a Visio drawing. Save it as PDF and upload it again."),
    gettext_noop("This is a PostScript file. These can be read: %(formats)s."),
    gettext_noop("This is an RTF file that was saved as a text file in Unicode. These can be read: %(formats)s."),
    gettext_noop("This is a Windows program. These can be read: %(formats)s."),
    gettext_noop("This is a program. These can be read: %(formats)s."),
    gettext_noop("This is a GIF image. These can be read: %(formats)s."),
    gettext_noop("This is a media file. These can be read: %(formats)s."),
    gettext_noop("This is a gzip archive. These can be read: %(formats)s."),
    gettext_noop("This is a 7-Zip archive. These can be read: %(formats)s."),
    gettext_noop("This is a RAR archive. These can be read: %(formats)s."),
    gettext_noop(
        "This is what Outlook packs text and attachments into for itself (winmail.dat). These can be read: %(formats)s."
    ),
    # of the service
    gettext_noop("The database failed while this file was worked on."),
    gettext_noop("The stored file is gone. Upload the document again."),
    gettext_noop("The file store failed. Retry the job."),
    gettext_noop("Something went wrong inside the service; its log says what. Retry the job."),
    gettext_noop("The source was deleted."),
    gettext_noop("Another document has replaced the source."),
    gettext_noop("The act has another version or another text by now. Look at the amending act once more."),
    gettext_noop("Discarded by %(by)s."),
    gettext_noop("Discarded by %(by)s; the file was deleted."),
    gettext_noop("The model fell silent."),
    gettext_noop("The model gave no answer within %(n)s seconds."),
    gettext_noop("The connection to the model's provider failed."),
    gettext_noop("The model's provider answered with an error (%(why)s)."),
    gettext_noop("The model's provider answered with what cannot be read."),
    gettext_noop("The embedding service failed (%(why)s)."),
    gettext_noop("The embedding service answered in an unknown form."),
    gettext_noop("The embedding service answered with unusable vectors."),
)
_PLACE = re.compile(r"%\\\((\w+)\\\)s|%\((\w+)\)s")


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    def group(found: re.Match[str]) -> str:
        return f"(?P<{found[1] or found[2]}>.+)"

    return [(re.compile(_PLACE.sub(group, re.escape(one)), re.DOTALL), one) for one in SENTENCES]


def said_again(stored: str) -> str | None:
    """The stored sentence in the language of now, or None for one that is not known."""
    for pattern, sentence in _patterns():
        if found := pattern.fullmatch(stored):
            return gettext(sentence) % found.groupdict() if found.groupdict() else gettext(sentence)
    return None
