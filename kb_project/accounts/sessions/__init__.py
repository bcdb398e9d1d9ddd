"""Where a person is signed in, what acts as them, and ending all of it."""
