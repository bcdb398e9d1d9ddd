"""How an answer is written from passages, and held to their words."""
