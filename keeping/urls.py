"""Paths of what people keep: notebooks, watches, highlights, exports."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
