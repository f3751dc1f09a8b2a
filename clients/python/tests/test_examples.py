"""The examples run: the agent against a model on loopback, the adapters against stand-ins for their frameworks."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import subprocess
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List

from .home import Home

from anyhook import AsyncHooks, Hooks

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
CAN = {"tool.before": {"deny": "full", "set": "full"}}
SET = """echo '{"effects":[{"kind":"set","at":["input","command"],"to":"ls -l"}]}'"""


class Model(HTTPServer):
    """Asks for one shell command, then repeats the result of it."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.requests: List[Dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), Answer)


class Answer(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(body)
        last = body["messages"][-1]["content"]
        content: List[Dict[str, Any]] = [{"type": "text", "text": f"heard: {last[0]['content']}"}] if isinstance(last, list) else [
            {"type": "tool_use", "id": "1", "name": "shell", "input": {"command": self.server.command}}
        ]
        text = json.dumps({"content": content}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


class Examples(unittest.TestCase):
    def setUp(self) -> None:
        self.world = Home()
        self.addCleanup(self.world.remove)

    def run_agent(self, command: str) -> str:
        model = Model(command)
        threading.Thread(target=model.serve_forever, daemon=True).start()
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.world.home),
            "PYTHONPATH": str(EXAMPLES.parent),
            "MODEL_URL": f"http://127.0.0.1:{model.server_port}",
            "ANYHOOK_COMMAND": os.environ["ANYHOOK_COMMAND"],
        }
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / "agent.py"), "go"],
            cwd=self.world.project, env=env, capture_output=True, text=True, timeout=120,
        )
        model.shutdown()
        model.server_close()
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done.stdout

    def test_the_agent_obeys_a_hook_of_claude_code(self) -> None:
        hook = {"type": "command", "command": "grep -q 'rm -rf' && { echo keep it >&2; exit 2; } || exit 0"}
        settings = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
        self.world.write({"home/.claude/settings.json": settings, "project/build/file": "x"})
        self.assertEqual("heard: Refused: keep it\n", self.run_agent("rm -rf build"))
        self.assertTrue((self.world.project / "build/file").exists())
        self.assertEqual("heard: build\n\n", self.run_agent("ls"))

    def test_tools_of_openai_agents_are_judged(self) -> None:
        import openai_agents

        @dataclasses.dataclass
        class FunctionTool:
            name: str
            on_invoke_tool: Callable[..., Any]

        async def shell(context: Any, arguments: str) -> str:
            return f"ran {json.loads(arguments)['command']}"

        async def run() -> List[str]:
            async with AsyncHooks("my-agent", can=CAN, **self.world.options) as hooks:
                [tool] = openai_agents.with_hooks(hooks, [FunctionTool("shell", shell)])
                changed = await tool.on_invoke_tool(None, '{"command":"ls"}')
                self.world.guard("echo no >&2; exit 2")
                return [changed, await tool.on_invoke_tool(None, '{"command":"ls"}')]

        self.world.guard(SET)
        self.assertEqual(["ran ls -l", "Refused: no"], asyncio.run(run()))

    def test_tools_of_langchain_are_judged(self) -> None:
        import langchain_tools

        @dataclasses.dataclass
        class Request:
            tool_call: Dict[str, Any]

            def override(self, tool_call: Dict[str, Any]) -> "Request":
                return Request(tool_call)

        call = Request({"name": "shell", "args": {"command": "ls"}, "id": "1"})
        self.world.guard(SET)
        with Hooks("my-agent", can=CAN, **self.world.options) as hooks:
            wrap = langchain_tools.hook_tool_calls(hooks, dict)
            self.assertEqual("ls -l", wrap(call, lambda request: request.tool_call["args"]["command"]))
            self.world.guard("echo no >&2; exit 2")
            refused = wrap(call, lambda request: self.fail("the tool ran"))
        self.assertEqual({"content": "Refused: no", "tool_call_id": "1", "status": "error"}, refused)


if __name__ == "__main__":
    unittest.main()
