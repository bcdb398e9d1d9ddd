"""What a command cannot do is said in a line, before it begins."""

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.parametrize("port", ["99999999", "-1", "http"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match="is no port: a number from 0 to 65535"):
        call_command("web", f"--port={port}")


def test_quick_and_deep_checks_exclude_each_other() -> None:
    with pytest.raises(CommandError, match="not allowed with argument"):
        call_command("check_integrity", "--quick", "--deep")
