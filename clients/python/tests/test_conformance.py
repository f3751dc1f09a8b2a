"""Both clients pass the cases of clients/conformance."""

from __future__ import annotations

import asyncio
import json
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Mapping

from .home import CASES, Home, differences

from anyhook import AsyncHooks, Hooks, HooksError

DATA = json.loads(CASES.read_text())
WANTS_SECONDS = 10


class Conformance(unittest.TestCase):
    def setUp(self) -> None:
        self.world = Home()
        self.addCleanup(self.world.remove)

    def check(self, step: Mapping[str, Any], found: Any) -> None:
        self.assertEqual([], differences(step["expect"], found.raw))


class Sync(Conformance):
    def run_case(self, case: Mapping[str, Any]) -> None:
        self.world.write(case["files"])
        with Hooks("conformance", can=case.get("can", DATA["can"]), **self.world.options) as hooks:
            for step in case["steps"]:
                self.step(hooks, step)

    def step(self, hooks: Hooks, step: Mapping[str, Any]) -> None:
        self.world.write(step.get("write", {}))
        if "together" in step:
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda one: self.step(hooks, one), step["together"]))
        if "wants" in step:
            until = time.monotonic() + WANTS_SECONDS
            while hooks.wants != set(step["wants"]) and time.monotonic() < until:
                time.sleep(0.05)
            self.assertEqual(set(step["wants"]), hooks.wants)
        if "error" in step:
            with self.assertRaises(HooksError) as raised:
                hooks.fire(**step["fire"])
            self.assertEqual(step["error"], raised.exception.code)
        elif "fire" in step:
            self.check(step, hooks.fire(**step["fire"]))
        if "cancel" in step:
            wait, cancel = hooks.start(**step["cancel"])
            while not (self.world.root / step["after"]).exists():
                time.sleep(0.01)
            cancel()
            self.check(step, wait())


class Async(Conformance):
    def run_case(self, case: Mapping[str, Any]) -> None:
        asyncio.run(self.run_async(case))

    async def run_async(self, case: Mapping[str, Any]) -> None:
        self.world.write(case["files"])
        async with AsyncHooks("conformance", can=case.get("can", DATA["can"]), **self.world.options) as hooks:
            for step in case["steps"]:
                await self.step(hooks, step)

    async def step(self, hooks: AsyncHooks, step: Mapping[str, Any]) -> None:
        self.world.write(step.get("write", {}))
        if "together" in step:
            await asyncio.gather(*(self.step(hooks, one) for one in step["together"]))
        if "wants" in step:
            until = time.monotonic() + WANTS_SECONDS
            while hooks.wants != set(step["wants"]) and time.monotonic() < until:
                await asyncio.sleep(0.05)
            self.assertEqual(set(step["wants"]), hooks.wants)
        if "error" in step:
            with self.assertRaises(HooksError) as raised:
                await hooks.fire(**step["fire"])
            self.assertEqual(step["error"], raised.exception.code)
        elif "fire" in step:
            self.check(step, await hooks.fire(**step["fire"]))
        if "cancel" in step:
            # Cancelling the task cancels the event: its hook is stopped, and other events are answered.
            task = asyncio.ensure_future(hooks.fire(**step["cancel"]))
            while not (self.world.root / step["after"]).exists():
                await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            other = await hooks.fire("tool.before", {"tool": "read", "input": {"path": "a"}})
            self.assertTrue(other.allowed)


def add_tests(suite: Any) -> None:
    for case in DATA["cases"]:
        def test(self: Any, case: Mapping[str, Any] = case) -> None:
            self.run_case(case)

        test.__doc__ = f"{suite.__name__}: {case['name']}"
        setattr(suite, "test_" + case["name"].replace(" ", "_"), test)


add_tests(Sync)
add_tests(Async)
del Conformance

if __name__ == "__main__":
    unittest.main()
