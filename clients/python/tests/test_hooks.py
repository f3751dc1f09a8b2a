"""What the Python clients add: tools, failures, threads."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .home import Home

from anyhook import AsyncHooks, Hooks, HooksError, ToolRefused

CAN = {
    "tool.before": {"deny": "full", "ask": "full", "set": "full"},
    "tool.after": {"set": "full"},
    "turn.stop": {"resume": "full"},
}
LS = {"tool": "shell", "input": {"command": "ls"}}
SET = """echo '{"effects":[{"kind":"set","at":["input","command"],"to":"ls -l"}]}'"""
REDACT = """echo '{"effects":[{"kind":"set","at":["content"],"to":[{"type":"text","text":"[redacted]"}]}]}'"""


class HooksTest(unittest.TestCase):
    def setUp(self) -> None:
        self.world = Home()
        self.addCleanup(self.world.remove)

    def hooks(self, **options: Any) -> Hooks:
        return Hooks("my-agent", can=CAN, **{**self.world.options, **options})

    def test_a_tool_runs_with_the_arguments_that_hooks_left(self) -> None:
        self.world.guard(SET)
        with self.hooks() as hooks:

            @hooks.tool
            def shell(command: str) -> str:
                return f"ran {command}"

            self.assertEqual("ran ls -l", shell(command="ls"))
            self.assertEqual("shell", shell.__name__)

    def test_a_refused_tool_does_not_run_and_gives_the_reason(self) -> None:
        self.world.guard("echo not now >&2; exit 2")
        ran = []
        with self.hooks() as hooks:
            shell = hooks.tool(lambda command: ran.append(command), name="shell")
            with self.assertRaises(ToolRefused) as raised:
                shell(command="ls")
        self.assertEqual("not now", str(raised.exception))
        self.assertEqual([], ran)

    def test_a_question_that_nobody_answers_is_a_refusal(self) -> None:
        self.world.guard("""echo '{"effects":[{"kind":"ask","reason":"sure?"}]}'""")
        with self.hooks() as hooks:
            with self.assertRaises(ToolRefused):
                hooks.tool(lambda command: command, name="shell")(command="ls")

    def test_hooks_can_replace_the_result_of_a_tool(self) -> None:
        self.world.guard(REDACT, event="tool.after")
        with self.hooks() as hooks:
            self.assertEqual("[redacted]", hooks.tool(lambda command: "secret", name="shell")(command="ls"))

    def test_an_exception_of_a_tool_reaches_its_caller(self) -> None:
        def shell(command: str) -> str:
            raise RuntimeError("broken")

        with self.hooks() as hooks:
            with self.assertRaisesRegex(RuntimeError, "broken"):
                hooks.tool(shell)(command="ls")

    def test_wrong_options_are_errors_with_a_code(self) -> None:
        with self.assertRaises(HooksError) as raised:
            Hooks("", can={}, **self.world.options).open()
        self.assertEqual("wrong-params", raised.exception.code)

    def test_without_anyhook_calls_are_refused_and_the_agent_may_stop(self) -> None:
        hooks = self.hooks(command=["no-such-program-of-anyhook"])
        refused = hooks.fire("tool.before", LS)
        self.assertEqual((False, "no"), (refused.allowed, refused.proceed))
        self.assertIn("no-such-program-of-anyhook could not be started", refused.reason)
        stop = hooks.fire("turn.stop", {"active": False})
        self.assertTrue(stop.allowed)
        self.assertIsNotNone(stop.failure)
        with self.assertRaises(ConnectionError):
            hooks.open()

    def test_a_server_that_is_killed_refuses_the_call_and_the_next_event_starts_another(self) -> None:
        # Only the hook of the first event kills its server.
        self.world.guard(f"test -e {self.world.root}/killed || {{ touch {self.world.root}/killed; kill -9 $SERVER; sleep 9; }}")
        started = self.world.root / "started"
        wrapper = f"import os,sys; open({str(started)!r},'a').write('x'); os.environ['SERVER']=str(os.getpid()); os.execvp(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", wrapper, *json.loads(os.environ["ANYHOOK_COMMAND"])]
        options = {**self.world.options, "env": None}
        with Hooks("my-agent", can=CAN, command=command, **options) as hooks:
            lost = hooks.fire("tool.before", LS)
            self.assertEqual((False, "anyhook serve has ended"), (lost.allowed, lost.failure))
            self.assertTrue(hooks.fire("tool.before", LS).allowed)
        self.assertEqual("xx", started.read_text())

    def test_a_hook_that_takes_too_long_is_a_refusal(self) -> None:
        self.world.guard("sleep 60")
        with self.hooks() as hooks:
            self.assertFalse(hooks.fire("tool.before", LS, timeout=0.5).allowed)

    def test_a_closed_client_refuses_instead_of_starting_a_server(self) -> None:
        with self.hooks() as hooks:
            pass
        self.assertEqual("these hooks are closed", hooks.fire("tool.before", LS).failure)

    def test_threads_share_one_server(self) -> None:
        self.world.guard("exit 0")
        with self.hooks() as hooks, ThreadPoolExecutor(16) as pool:
            outcomes = list(pool.map(lambda at: hooks.fire("tool.before", {**LS, "input": {"command": f"echo {at}"}}), range(64)))
        self.assertEqual([f"echo {at}" for at in range(64)], [one.payload["input"]["command"] for one in outcomes])

    def test_an_async_tool_is_judged_too(self) -> None:
        self.world.guard("echo no >&2; exit 2", match="shell(rm*)")

        async def run() -> None:
            async with AsyncHooks("my-agent", can=CAN, **self.world.options) as hooks:

                @hooks.tool
                async def shell(command: str) -> str:
                    return f"ran {command}"

                self.assertEqual("ran ls", await shell(command="ls"))
                with self.assertRaises(ToolRefused):
                    await shell(command="rm x")

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
