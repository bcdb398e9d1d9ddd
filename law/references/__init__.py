"""Mentions of acts and provisions in running text."""
