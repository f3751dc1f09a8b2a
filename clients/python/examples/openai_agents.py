"""Hooks around the tools of the OpenAI Agents SDK. Guardrails there cannot change a call, so the tool's invocation is wrapped."""

import dataclasses
import json

from anyhook import AsyncHooks


def with_hooks(hooks: AsyncHooks, tools: list) -> list:
    """Returns the same function tools, judged by hooks. A refusal is the result that the model reads."""
    return [judged(hooks, tool) for tool in tools]


def judged(hooks: AsyncHooks, tool):
    async def invoke(context, arguments: str) -> str:
        before = await hooks.fire("tool.before", {"tool": tool.name, "input": json.loads(arguments or "{}")})
        if not before.allowed:
            return f"Refused: {before.reason}"
        return await tool.on_invoke_tool(context, json.dumps(before.payload["input"]))

    return dataclasses.replace(tool, on_invoke_tool=invoke)
