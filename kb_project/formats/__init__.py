"""How days are written, by language. What is not said here is as Django has it."""
