"""What a text states beside its citations: whether the law says so, by its numbers and by what models read."""
