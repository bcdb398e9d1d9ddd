"""Paths of what people keep: notebooks, matters, watches, highlights, exports, tables."""

from keeping.exports.urls import urlpatterns as exports
from keeping.highlights.urls import urlpatterns as highlights
from keeping.matters.urls import urlpatterns as matters
from keeping.notebooks.urls import urlpatterns as notebooks
from keeping.surveys.urls import urlpatterns as surveys
from keeping.tables.urls import urlpatterns as tables
from keeping.watches.urls import urlpatterns as watches

urlpatterns = [*notebooks, *matters, *watches, *highlights, *exports, *tables, *surveys]
