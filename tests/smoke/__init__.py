"""`python -m tests.smoke`: a new user's first hour, on an installation of its own. It needs Python's library alone."""


class Failed(Exception):
    """A step did not do what it should; the message says which and what it printed."""


def say(sentence: str) -> None:
    print(sentence, flush=True)
