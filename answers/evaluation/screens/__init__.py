"""`/evaluation/`: the questions whose right answer is known, and what became of them."""
