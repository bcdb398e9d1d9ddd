"""Documents that are nearly the same as a job's: finding them, naming them, and showing what differs."""
