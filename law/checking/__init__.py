"""What a text says of the law: its quotations, which citation each is of, and whether the law reads so."""
