"""The client for asyncio."""

from __future__ import annotations

import asyncio
import functools
import json
from types import TracebackType
from typing import Any, Awaitable, Callable, Dict, FrozenSet, Mapping, Optional, Sequence, Type

from ._outcome import Outcome, ToolRefused
from ._protocol import Can, Settings, after_payload, default_command, encode, fire_params, opened, result_after, result_of
from ._sync import GRACE_SECONDS

#: A line has at most 64 MiB; its answer holds a little more.
MAX_LINE = 80 * 1024 * 1024


class _Server:
    """One `anyhook serve` process, and the session in it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._open: Dict[int, "asyncio.Future[Mapping[str, Any]]"] = {}
        self._last = 0
        self.ended: Optional[str] = None
        self.session = ""
        self.wants: FrozenSet[str] = frozenset()
        self.hooks: Sequence[Any] = ()
        self.problems: Sequence[Any] = ()
        self._reader = asyncio.ensure_future(self._read())

    @staticmethod
    async def start(command: Sequence[str], settings: Settings, cwd: Optional[str], timeout: float) -> "_Server":
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=cwd, limit=MAX_LINE)
        except OSError as error:
            raise ConnectionError(f"{command[0]} could not be started: {error.strerror}") from error
        server = _Server(process)
        try:
            result = await server.request("open", settings.params, timeout)
        except BaseException:
            await server.close()
            raise
        server.session, server.wants, server.hooks, server.problems = opened(result)
        return server

    async def request(self, method: str, params: Mapping[str, Any], timeout: float) -> Mapping[str, Any]:
        if self.ended is not None:
            raise ConnectionError(self.ended)
        self._last += 1
        request_id = self._last
        future: "asyncio.Future[Mapping[str, Any]]" = asyncio.get_running_loop().create_future()
        self._open[request_id] = future
        try:
            await self._write(encode(method, params, request_id))
            return result_of(await asyncio.wait_for(asyncio.shield(future), timeout))
        except asyncio.TimeoutError:
            await self._cancel(request_id)
            raise TimeoutError(f"no answer within {timeout:g} seconds") from None
        except asyncio.CancelledError:
            await self._cancel(request_id)
            raise
        finally:
            del self._open[request_id]

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), GRACE_SECONDS)
        except asyncio.TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._reader

    async def _cancel(self, request_id: int) -> None:
        try:
            await self._write(encode("cancel", {"id": request_id}, None))
        except ConnectionError:
            pass  # it has ended, and its requests fail

    async def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            await self._process.stdin.drain()
        except (OSError, RuntimeError) as error:
            raise ConnectionError("anyhook serve has ended") from error

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while True:
            line = await self._process.stdout.readline()
            if not line:
                break
            try:
                message = json.loads(line)
            except ValueError:
                continue  # not from anyhook: a shell that prints something
            if isinstance(message, dict):
                self._take(message)
        self.ended = "anyhook serve has ended"
        for future in self._open.values():
            if not future.done():
                future.set_exception(ConnectionError(self.ended))

    def _take(self, message: Mapping[str, Any]) -> None:
        future = self._open.get(message.get("id", -1))
        if future is not None and not future.done():
            future.set_result(message)
        elif message.get("method") == "changed":
            found = message["params"]
            self.wants = frozenset(found["wants"])
            self.hooks, self.problems = tuple(found["hooks"]), tuple(found["problems"])


class AsyncHooks:
    """`Hooks` for asyncio: use it in an `async with` statement. Cancelling `fire` cancels the event."""

    def __init__(
        self,
        name: str,
        *,
        can: Can,
        version: Optional[str] = None,
        tools: Optional[Mapping[str, Any]] = None,
        cwd: Optional[str] = None,
        home: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
        approvals: Optional[bool] = None,
        command: Optional[Sequence[str]] = None,
        timeout: float = 600.0,
    ) -> None:
        options = {"cwd": cwd, "home": home, "env": env, "approvals": approvals}
        self._settings = Settings(name, can, version, tools, options)
        self._command = command or default_command()
        self._cwd = cwd
        self._timeout = timeout
        self._starting: Optional[asyncio.Lock] = None
        self._server: Optional[_Server] = None
        self._is_closed = False

    async def __aenter__(self) -> "AsyncHooks":
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Raises `ConnectionError` if anyhook is missing, and `HooksError` for wrong options. `fire` opens by itself."""
        await self._running()

    async def close(self) -> None:
        self._is_closed = True
        if self._server is not None:
            await self._server.close()

    @property
    def wants(self) -> FrozenSet[str]:
        """Events that a hook listens to. Others need not be fired."""
        return self._server.wants if self._server is not None else frozenset()

    @property
    def hooks(self) -> Sequence[Any]:
        return self._server.hooks if self._server is not None else ()

    @property
    def problems(self) -> Sequence[Any]:
        """What is wrong with the user's settings."""
        return self._server.problems if self._server is not None else ()

    async def fire(
        self,
        event: str,
        payload: Mapping[str, Any],
        *,
        session: Optional[str] = None,
        agent: Optional[str] = None,
        call: Optional[str] = None,
        message: Optional[str] = None,
        scene: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Outcome:
        """Runs the hooks of an event. Raises only `HooksError`, for an event that does not exist or is misspelt."""
        ids = {"session": session, "agent": agent, "call": call, "message": message}
        seconds = self._timeout if timeout is None else timeout
        try:
            server = await self._running()
            params = fire_params(server.session, event, payload, ids, scene, timeout)
            return Outcome.read(await server.request("fire", params, seconds + GRACE_SECONDS))
        except (ConnectionError, TimeoutError) as error:
            return Outcome.failed(str(error), payload, self._settings.can_refuse(event))

    def tool(
        self, function: Optional[Callable[..., Awaitable[Any]]] = None, *, name: Optional[str] = None
    ) -> Any:
        """Decorator for an async function, as `Hooks.tool`."""
        if function is None:
            return functools.partial(self.tool, name=name)
        tool = name or function.__name__

        @functools.wraps(function)
        async def judged(**arguments: Any) -> Any:
            before = await self.fire("tool.before", {"tool": tool, "input": arguments})
            if not before.allowed:
                raise ToolRefused(before)
            given = dict(before.payload.get("input", arguments))
            assert function is not None
            try:
                result = await function(**given)
            except Exception as error:
                await self.fire("tool.failed", {"tool": tool, "input": given, "error": str(error)})
                raise
            return result_after(await self.fire("tool.after", after_payload(tool, given, result)), result)

        return judged

    async def _running(self) -> _Server:
        """The server, started again if it has ended. An event that was lost with it is not fired again."""
        if self._starting is None:
            self._starting = asyncio.Lock()  # here, because it belongs to the running loop
        async with self._starting:
            if self._is_closed:
                raise ConnectionError("these hooks are closed")
            if self._server is None or self._server.ended is not None:
                if self._server is not None:
                    await self._server.close()
                self._server = await _Server.start(self._command, self._settings, self._cwd, self._timeout)
            return self._server
