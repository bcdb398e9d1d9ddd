"""Paths of what people keep: notebooks, watches, highlights, exports."""

from keeping.exports.urls import urlpatterns as exports
from keeping.highlights.urls import urlpatterns as highlights
from keeping.notebooks.urls import urlpatterns as notebooks
from keeping.watches.urls import urlpatterns as watches

urlpatterns = [*notebooks, *watches, *highlights, *exports]
