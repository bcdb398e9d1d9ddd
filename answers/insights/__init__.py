"""What people search for and ask, and do not find: searches counted by day, and the traces of answers."""
