"""What a question asks for: a kind of answer, the time or the doer of an act, the most or the least of a thing."""
