"""Amending acts: the instructions that they give, and what becomes of the act that they change."""
