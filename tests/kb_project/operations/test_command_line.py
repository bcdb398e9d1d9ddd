"""The list of commands that `manage.py help` prints."""

from kb_project.operations.command_line import CommandLine


def test_our_commands_come_first_with_a_sentence_each() -> None:
    said = CommandLine(["manage.py", "help"]).main_help_text()
    ours, _, others = said.partition("Of Django:")
    rows = [line.split(maxsplit=1) for line in ours.splitlines() if line.startswith("  ")]
    assert {"up", "ingest", "backup", "create_api_key", "evaluate"} <= {name for name, _ in rows}
    assert all(sentence.strip() for _, sentence in rows)
    assert "migrate" in others
    assert "migrate" not in {name for name, _ in rows}
