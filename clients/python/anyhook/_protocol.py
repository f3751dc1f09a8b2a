"""The messages of `anyhook serve`, and what both clients share. Does no I/O."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, FrozenSet, Mapping, Optional, Sequence, Tuple

from ._outcome import HooksError, Outcome, ToolRefused

PROTOCOL = 1
#: Effects by which an event can be refused.
REFUSALS = ("deny", "cancel", "defer", "ask")
Can = Mapping[str, Mapping[str, Any]]


def default_command() -> Sequence[str]:
    """`ANYHOOK_COMMAND` is a JSON list, for a program that is not on the PATH."""
    given = os.environ.get("ANYHOOK_COMMAND")
    if not given:
        return ("anyhook", "serve")
    command = json.loads(given)
    if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
        raise ValueError('ANYHOOK_COMMAND must be a JSON list of strings, such as ["npx", "anyhook", "serve"]')
    return command


def encode(method: str, params: Mapping[str, Any], request_id: Optional[int]) -> bytes:
    message: Dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if request_id is not None:
        message["id"] = request_id
    # Escaped to ASCII: lone surrogates, which UTF-8 has no form for, stay what they were.
    return json.dumps(message).encode("ascii") + b"\n"


def result_of(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Raises what the server reports."""
    error = message.get("error")
    if error is not None:
        raise HooksError(str(error.get("message")), str(error.get("data", {}).get("code", "internal")))
    result = message.get("result")
    return result if isinstance(result, dict) else {}


class Settings:
    """What `open` sends, and what the clients derive from it."""

    def __init__(
        self,
        name: str,
        can: Can,
        version: Optional[str],
        tools: Optional[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> None:
        host: Dict[str, Any] = {"name": name, "can": can}
        if version is not None:
            host["version"] = version
        if tools is not None:
            host["tools"] = tools
        given = {key: value for key, value in options.items() if value is not None}
        self.params: Mapping[str, Any] = {"protocol": PROTOCOL, "host": host, **given}
        self._can = can

    def can_refuse(self, event: str) -> bool:
        return any(effect in self._can.get(event, {}) for effect in REFUSALS)


def fire_params(
    session: str,
    event: str,
    payload: Mapping[str, Any],
    ids: Mapping[str, Optional[str]],
    scene: Optional[Mapping[str, str]],
    timeout: Optional[float],
) -> Mapping[str, Any]:
    known = {key: value for key, value in ids.items() if value is not None}
    params: Dict[str, Any] = {"session": session, "event": event, "payload": payload}
    if known:
        params["ids"] = known
    if scene is not None:
        params["scene"] = scene
    if timeout is not None:
        params["budgetMs"] = max(1, round(timeout * 1000))
    return params


def opened(result: Mapping[str, Any]) -> Tuple[str, FrozenSet[str], Sequence[Any], Sequence[Any]]:
    return (
        str(result["session"]),
        frozenset(result.get("wants", ())),
        tuple(result.get("hooks", ())),
        tuple(result.get("problems", ())),
    )


def after_payload(tool: str, arguments: Mapping[str, Any], result: Any) -> Mapping[str, Any]:
    text = result if isinstance(result, str) else json.dumps(result, default=str)
    return {"tool": tool, "input": arguments, "content": [{"type": "text", "text": text}]}


def result_after(after: Outcome, result: Any) -> Any:
    """The result of a tool as hooks left it. Raises `ToolRefused` if a hook holds it back."""
    if not after.allowed:
        raise ToolRefused(after)
    if not after.raw.get("changed"):
        return result
    parts = after.payload.get("content", ())
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
