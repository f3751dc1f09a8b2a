"""Hooks around the tools of LangChain: `create_agent(model, tools, middleware=[...])` calls the function for every tool call."""

from anyhook import Hooks


def hook_tool_calls(hooks: Hooks, tool_message):
    """For `@wrap_tool_call`. `tool_message` is `langchain.messages.ToolMessage`."""

    def wrap(request, handler):
        call = request.tool_call
        before = hooks.fire("tool.before", {"tool": call["name"], "input": call["args"]}, call=call["id"])
        if not before.allowed:
            return tool_message(content=f"Refused: {before.reason}", tool_call_id=call["id"], status="error")
        return handler(request.override(tool_call={**call, "args": before.payload["input"]}))

    return wrap
