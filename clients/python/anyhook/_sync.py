"""The client for threads and plain programs."""

from __future__ import annotations

import functools
import json
import subprocess
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from types import TracebackType
from typing import Any, Callable, Dict, FrozenSet, Mapping, Optional, Sequence, Type, TypeVar

from ._outcome import Outcome, ToolRefused
from ._protocol import Can, Settings, after_payload, default_command, encode, fire_params, opened, result_after, result_of

Message = Mapping[str, Any]
T = TypeVar("T")

#: Time for the answer to arrive after the hooks have used theirs.
GRACE_SECONDS = 5.0


class _Server:
    """One `anyhook serve` process, and the session in it."""

    def __init__(self, command: Sequence[str], settings: Settings, cwd: Optional[str], timeout: float) -> None:
        self._lock = threading.Lock()
        self._open: Dict[int, "Future[Message]"] = {}
        self._last = 0
        self.ended: Optional[str] = None
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
        except OSError as error:
            raise ConnectionError(f"{command[0]} could not be started: {error.strerror}") from error
        self.wants: FrozenSet[str] = frozenset()
        self.hooks: Sequence[Any] = ()
        self.problems: Sequence[Any] = ()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            result = self.request("open", settings.params, timeout)
        except BaseException:
            self.close()
            raise
        self.session, self.wants, self.hooks, self.problems = opened(result)

    def start(self, method: str, params: Mapping[str, Any]) -> "tuple[int, Future[Message]]":
        future: "Future[Message]" = Future()
        with self._lock:
            if self.ended is not None:
                raise ConnectionError(self.ended)
            self._last += 1
            request_id = self._last
            self._open[request_id] = future
            try:
                self._write(encode(method, params, request_id))
            except OSError as error:
                del self._open[request_id]
                raise ConnectionError("anyhook serve has ended") from error
        return request_id, future

    def request(self, method: str, params: Mapping[str, Any], timeout: Optional[float]) -> Message:
        request_id, future = self.start(method, params)
        try:
            return result_of(future.result(timeout))
        except FutureTimeout:
            self.cancel(request_id)
            raise TimeoutError(f"no answer within {timeout:g} seconds") from None
        finally:
            self._open.pop(request_id, None)

    def cancel(self, request_id: int) -> None:
        with self._lock:
            try:
                self._write(encode("cancel", {"id": request_id}, None))
            except OSError:
                pass  # it has ended, and its requests fail

    def close(self) -> None:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
        except OSError:
            pass
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join()
        process.stdout.close()

    def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except ValueError as error:
            raise BrokenPipeError("closed") from error

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue  # not from anyhook: a shell that prints something
            if not isinstance(message, dict):
                continue
            future = self._open.get(message.get("id", -1))
            if future is not None and not future.done():
                future.set_result(message)
            elif message.get("method") == "changed":
                found = message["params"]
                self.wants = frozenset(found["wants"])
                self.hooks, self.problems = tuple(found["hooks"]), tuple(found["problems"])
        with self._lock:
            self.ended = "anyhook serve has ended"
            waiting = list(self._open.values())
        for future in waiting:
            if not future.done():
                future.set_exception(ConnectionError(self.ended))


class Hooks:
    """
    The hooks of one project. Use it in a `with` statement, from any number of threads.

    `can` says which effects of hooks you apply, per event: `{"tool.before": {"deny": "full", "set": "full"}}`.
    A failure of anyhook itself is an outcome that is not allowed, never an exception.
    """

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
        self._starting = threading.Lock()
        self._server: Optional[_Server] = None
        self._is_closed = False

    def __enter__(self) -> "Hooks":
        self.open()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def open(self) -> None:
        """Raises `ConnectionError` if anyhook is missing, and `HooksError` for wrong options. `fire` opens by itself."""
        self._running()

    def close(self) -> None:
        with self._starting:
            self._is_closed = True
            if self._server is not None:
                self._server.close()

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

    def fire(
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
            server = self._running()
            params = fire_params(server.session, event, payload, ids, scene, timeout)
            return Outcome.read(server.request("fire", params, seconds + GRACE_SECONDS))
        except (ConnectionError, TimeoutError) as error:
            return Outcome.failed(str(error), payload, self._settings.can_refuse(event))

    def start(
        self, event: str, payload: Mapping[str, Any], **ids: Optional[str]
    ) -> "tuple[Callable[[], Outcome], Callable[[], None]]":
        """Fires without waiting. Returns a function that waits for the outcome, and one that cancels."""
        server = self._running()
        request_id, future = server.start("fire", fire_params(server.session, event, payload, ids, None, None))

        def wait() -> Outcome:
            try:
                return Outcome.read(result_of(future.result()))
            except ConnectionError as error:
                return Outcome.failed(str(error), payload, self._settings.can_refuse(event))

        return wait, lambda: server.cancel(request_id)

    def tool(self, function: Optional[Callable[..., T]] = None, *, name: Optional[str] = None) -> Any:
        """
        Decorator: hooks judge each call of the function before it runs, and see its result afterwards. Call the function with
        keyword arguments. A refused call raises `ToolRefused`; a question is a refusal.
        """
        if function is None:
            return functools.partial(self.tool, name=name)
        tool = name or function.__name__

        @functools.wraps(function)
        def judged(**arguments: Any) -> Any:
            before = self.fire("tool.before", {"tool": tool, "input": arguments})
            if not before.allowed:
                raise ToolRefused(before)
            given = dict(before.payload.get("input", arguments))
            assert function is not None
            try:
                result = function(**given)
            except Exception as error:
                self.fire("tool.failed", {"tool": tool, "input": given, "error": str(error)})
                raise
            return self._after(tool, given, result)

        return judged

    def _after(self, tool: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """Hooks may redact or refuse a result. Only a text can be replaced."""
        after = self.fire("tool.after", after_payload(tool, arguments, result))
        return result_after(after, result)

    def _running(self) -> _Server:
        """The server, started again if it has ended. An event that was lost with it is not fired again."""
        with self._starting:
            if self._is_closed:
                raise ConnectionError("these hooks are closed")
            if self._server is None or self._server.ended is not None:
                if self._server is not None:
                    self._server.close()
                self._server = _Server(self._command, self._settings, self._cwd, self._timeout)
            return self._server
