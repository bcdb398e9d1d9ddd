"""Paths of what readers read: documents, works, changes, references."""

from django.urls import path

from reading.akn.api import SourceAkomaNtoso
from reading.amendments.api import Consolidate, SourceInstructions
from reading.changes.feed import feed
from reading.changes.screens import changes
from reading.compare.api import Compare
from reading.compare.screens import compare, compare_with_before, provision_history
from reading.documents.api import SourceDetail, SourceFile, SourceList
from reading.documents.beside import beside
from reading.documents.definitions import definitions
from reading.documents.references import cited_by, preview
from reading.documents.screens import document, document_contents, document_find, document_part, document_picture
from reading.provisions.api import ProvisionDetail, Provisions, SimilarProvisions
from reading.radar.api import Radar, RadarDetail
from reading.radar.screens import radar, radar_file, radar_looked
from reading.references.api import References, Resolve
from reading.works.api import WorkDetail
from reading.works.screens import work

urlpatterns = [
    path("kb/sources/<int:source_id>/provisions", Provisions.as_view(), name="kb-provisions"),
    path(
        "kb/sources/<int:source_id>/provisions/<str:eid>/similar",
        SimilarProvisions.as_view(),
        name="kb-provision-similar",
    ),
    path("kb/sources/<int:source_id>/provisions/<str:eid>", ProvisionDetail.as_view(), name="kb-provision"),
    path("kb/sources/<int:source_id>/references", References.as_view(), name="kb-references"),
    path("kb/sources/<int:source_id>/compare/<int:other_id>", Compare.as_view(), name="kb-compare"),
    path("kb/sources/<int:source_id>/instructions", SourceInstructions.as_view(), name="kb-instructions"),
    path("kb/consolidate", Consolidate.as_view(), name="kb-consolidate"),
    path("kb/resolve", Resolve.as_view(), name="kb-resolve"),
    path("kb/sources/<int:source_id>.akn.xml", SourceAkomaNtoso.as_view(), name="kb-source-akn"),
    path("kb/radar", Radar.as_view(), name="kb-radar"),
    path("admin/kb/radar/<int:stale_id>", RadarDetail.as_view(), name="admin-radar-row"),
    path("radar/", radar, name="radar"),
    path("radar/radar.csv", radar_file, name="radar-file"),
    path("radar/<int:stale_id>/", radar_looked, name="radar-looked"),
    path("works/<int:work_id>/", work, name="work"),
    path("changes/", changes, name="changes"),
    path("changes/feed/", feed, name="changes-feed"),
    path("documents/<int:source_id>/", document, name="document"),
    path("documents/<int:source_id>/part/", document_part, name="document-part"),
    path("documents/<int:source_id>/contents/", document_contents, name="document-contents"),
    path("documents/<int:source_id>/preview/", preview, name="document-preview"),
    path("documents/<int:source_id>/definitions/", definitions, name="document-definitions"),
    path("documents/<int:source_id>/cited-by/", cited_by, name="document-cited-by"),
    path("documents/<int:source_id>/beside/", beside, name="document-beside"),
    path("documents/<int:source_id>/compare/", compare_with_before, name="document-compare-before"),
    path("documents/<int:source_id>/compare/<int:other_id>/", compare, name="document-compare"),
    path("documents/<int:source_id>/history/", provision_history, name="document-history"),
    path("documents/<int:source_id>/find/", document_find, name="document-find"),
    path("documents/<int:source_id>/pages/<int:number>.png", document_picture, name="document-picture"),
    path("kb/sources", SourceList.as_view(), name="kb-sources"),
    path("kb/sources/<int:source_id>", SourceDetail.as_view(), name="kb-source"),
    path("kb/sources/<int:source_id>/file", SourceFile.as_view(), name="kb-source-file"),
    path("kb/works/<int:work_id>", WorkDetail.as_view(), name="kb-work"),
]
