"""Documents written as Akoma Ntoso."""

from io import BytesIO

from reading import akn
from sources.models import Chunk, Source
from tests.reading.akn.checking import schema_errors, text_of


def written(source: Source) -> bytes:
    """The file, after a look at what holds of all: it is valid, and says what the document says."""
    file = BytesIO()
    akn.write(source, file)
    xml = file.getvalue()
    assert schema_errors(xml) == []
    chunks = Chunk.objects.filter(source=source).order_by("seq")
    assert text_of(xml) == "".join(chunk.gap + chunk.text for chunk in chunks)
    return xml
