"""What the settings of a service that others reach go by."""

import re

import pytest

from kb_project.api import problem
from kb_project.configuration import security_settings


@pytest.mark.parametrize("path", problem.API_PATHS)
def test_no_path_for_programs_is_redirected_to_https(path: str) -> None:
    pattern = security_settings.api_path_pattern()
    assert re.search(pattern, path.lstrip("/"))
    assert re.search(pattern, f"{path}/more".lstrip("/"))
    assert not re.search(pattern, f"{path}more".lstrip("/"))


@pytest.mark.parametrize("path", ["", "admin/", "admin/login/", "search/kb", "status/"])
def test_pages_for_people_are(path: str) -> None:
    assert not re.search(security_settings.api_path_pattern(), path)
