"""The languages in which a test is run: one for every change, the other in the deep tier."""

import pytest

EACH = ("en", pytest.param("he", marks=pytest.mark.deep))
