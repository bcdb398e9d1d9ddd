"""Paths of surveys."""

from django.urls import path

from keeping.surveys.api import SurveyDetail, Surveys

urlpatterns = [
    path("kb/surveys", Surveys.as_view(), name="kb-surveys"),
    path("kb/surveys/<uuid:survey_id>", SurveyDetail.as_view(), name="kb-survey"),
]
