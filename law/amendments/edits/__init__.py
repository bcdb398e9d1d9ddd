"""What instructions make of the lines of a section."""
