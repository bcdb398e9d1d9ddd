"""`manage.py help`: the commands of the service first, with a sentence each, and then those of Django."""

import ast
from pathlib import Path

from django.conf import settings
from django.core.management import ManagementUtility, get_commands, load_command_class


class CommandLine(ManagementUtility):
    """Django's command line, whose list of commands begins with ours."""

    def execute(self) -> None:
        if self.argv[1:2] == ["up"]:  # it lives as long as the service: no app is imported for it
            load_command_class("kb_project", "up").run_from_argv(self.argv)
        else:
            super().execute()

    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return str(super().main_help_text(commands_only))
        modules = {
            name: settings.BASE_DIR.joinpath(*app.split("."), "management", "commands", f"{name}.py")
            for name, app in get_commands().items()
        }
        ours = {name: path for name, path in modules.items() if path.is_file()}
        lines = ["", f"`{self.prog_name} help COMMAND` tells all of one.", ""]
        lines += [f"  {name:<22} {_help(path)}" for name, path in sorted(ours.items())]
        others = sorted(name for name in modules if name not in ours)
        return "\n".join([*lines, "", f"Of Django: {', '.join(others)}"])


def _help(path: Path) -> str:
    """What a command says of itself, read from its text: to import all of them takes seconds."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["help"]:
            return " ".join(str(ast.literal_eval(node.value)).split())
    return ""
