"""Evaluation: questions whose right answer is known, asked as people ask them, and what a change makes of them."""
