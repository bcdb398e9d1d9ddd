"""The README and the lock are such that `make smoke` can follow them."""

import shutil
from pathlib import Path

import pytest

from tests.smoke import Failed, lock, readme
from tests.smoke.installation import PROJECT

README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_readme_begins_with_make_run_and_tells_what_follows() -> None:
    first, *others = readme.blocks(README)
    assert first.script == "make run\n"
    assert others
    assert all(block.printed for block in others)


def test_block_that_nobody_checks_is_refused() -> None:
    with pytest.raises(Failed, match="a block under 'More'"):
        list(readme.blocks(README.replace("## More\n", "## More\n\n```sh\nmake lint\n```\n")))


def test_block_that_is_gone_is_missed() -> None:
    with pytest.raises(Failed, match="no block any more under: Ask"):
        list(
            readme.blocks(
                README.replace("## Ask\n", "## Questions\n").replace(
                    "```sh\ncurl -s http://127.0.0.1:8000/kb/ask", "```\n"
                )
            )
        )


def test_output_that_lacks_something_fails() -> None:
    block = readme.Block("Search", "curl", printed=(r'"section": ?"7"',))
    readme.check(block, '{"section": "7"}')
    with pytest.raises(Failed, match="did not print"):
        readme.check(block, '{"section": "8"}')


def test_lock_names_what_was_chosen() -> None:
    lock.check(PROJECT)


@pytest.mark.parametrize(
    ("old", "new", "name"), [("\npackaging ", "\n#packaging ", "packaging"), ("# web\n", "# web\nflask\n", "flask")]
)
def test_lock_that_is_out_of_step_is_refused(tmp_path: Path, old: str, new: str, name: str) -> None:
    for file in ("requirements.in", "requirements.txt"):
        shutil.copy(PROJECT / file, tmp_path)
    chosen = tmp_path / "requirements.in"
    text = chosen.read_text(encoding="utf-8")
    assert old in text
    chosen.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Failed, match=name):
        lock.check(tmp_path)
