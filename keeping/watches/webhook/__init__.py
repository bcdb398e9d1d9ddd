"""The webhook of a person: an address of their own, to which what they watch is posted."""
