"""New versions of acts, made of the instructions of an amending act that a person confirmed."""
