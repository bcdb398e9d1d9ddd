"""The agent tool as Anthropic's SDK takes it, for `client.beta.messages.tool_runner`."""

from anthropic.lib.tools import BetaBuiltinFunctionTool, ToolError
from anthropic.types.beta import BetaToolParam

from answers.agent import AgentTool


def as_beta_tool(tool: AgentTool) -> BetaBuiltinFunctionTool:
    """The tool for `tool_runner(tools=[…], thread=False)`. What the tool refuses reaches the model as an error."""
    return _BetaTool(tool)


class _BetaTool(BetaBuiltinFunctionTool):
    """Not the SDK's own wrapper of functions, which takes apart the arguments before the tool can check them."""

    def __init__(self, tool: AgentTool) -> None:
        self._tool = tool

    def to_dict(self) -> BetaToolParam:
        return {
            "name": self._tool.name,
            "description": self._tool.description,
            "input_schema": self._tool.input_schema,
        }

    def call(self, input: object) -> str:
        result = self._tool.call(input)
        if result.is_error:
            raise ToolError(result.text)
        return result.text
