"""Passwords: forms, links and rules."""
