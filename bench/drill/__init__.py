"""Fault drills: the embedded stack at work while its parts are broken one after the other, and whether all adds up."""
