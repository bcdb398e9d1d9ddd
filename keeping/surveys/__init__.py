"""Surveys: every provision that has what a description says, with a certificate of what was looked at."""
