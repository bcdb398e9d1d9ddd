"""GET /kb/sources/{id}.akn.xml: a document as Akoma Ntoso."""

import hashlib
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile

from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from kb_project.api.strict import forbid_query
from kb_project.database.standbys.reading import from_standby
from reading import akn
from reading.documents.api import PublicSourceView
from sources.files.serving import described, stream

IN_MEMORY = 1 << 20  # bytes; a longer file is written to disk


class SourceAkomaNtoso(PublicSourceView):
    @extend_schema(
        operation_id="kb_sources_akn",
        responses=described("The document in XML of OASIS LegalDocML 1.0.", [akn.FORMAT]),
    )
    @from_standby
    def get(self, request: Request, source_id: int) -> HttpResponseBase:
        """A document with its provisions as Akoma Ntoso."""
        forbid_query(request)
        source = self.source(request, source_id)
        # Written before it is sent: nothing of the database is held while a slow reader takes it.
        with ExitStack() as unsent:
            file = unsent.enter_context(SpooledTemporaryFile(max_size=IN_MEMORY))
            akn.write(source, file)
            file.seek(0)
            etag = quote_etag(hashlib.file_digest(file, "sha256").hexdigest())
            response: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)
            if response is None:
                name = f"{source.pk}.akn.xml"
                form = f"{akn.FORMAT}; charset=utf-8"
                response = stream(request._request, file, etag=etag, content_type=form, filename=name)
                unsent.pop_all()  # the response closes it
        response.headers["ETag"] = etag
        return response
