"""`python -m bench.scale`: the laws many times over, up to a million chunks, and what search makes of them."""
