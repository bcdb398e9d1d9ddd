"""Paths of what people keep: notebooks, watches, highlights, exports."""

from keeping.exports.urls import urlpatterns as exports

urlpatterns = [*exports]
