"""What hooks answer, and the errors of this package."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence


class HooksError(Exception):
    """A wrong call: an unknown event, a misspelt option. `code` is stable. Hooks never cause it."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class ToolRefused(Exception):
    """Raised by a wrapped tool instead of running. The text is for the model."""

    def __init__(self, outcome: "Outcome") -> None:
        super().__init__(outcome.reason or "A hook refused this call.")
        self.outcome = outcome


@dataclass(frozen=True)
class Outcome:
    """The merged answer of all hooks of one event. Go on only if `allowed` is true."""

    allowed: bool
    #: `yes`, `ask` (ask your user; no answer is no) or `no`.
    proceed: str
    #: Why, for the model.
    reason: str
    #: What should run, with the changes of hooks.
    payload: Mapping[str, Any]
    for_model: Sequence[str] = ()
    for_user: Sequence[str] = ()
    gifts: Mapping[str, Any] = field(default_factory=dict)
    aborted: bool = False
    #: Why no hook was asked: anyhook is missing, ended or did not answer.
    failure: Optional[str] = None
    #: Every field of the outcome, as anyhook sent it.
    raw: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def read(value: Mapping[str, Any]) -> "Outcome":
        return Outcome(
            allowed=value.get("allowed") is True,
            proceed=str(value.get("proceed", "no")),
            reason=str(value.get("reason", "")),
            payload=value.get("payload", {}),
            for_model=tuple(value.get("forModel", ())),
            for_user=tuple(value.get("forPerson", ())),
            gifts=value.get("gifts", {}),
            aborted=value.get("aborted") is True,
            raw=value,
        )

    @staticmethod
    def failed(why: str, payload: Mapping[str, Any], can_refuse: bool) -> "Outcome":
        """Without an answer nothing is approved. An event that cannot be refused goes on, with the failure."""
        return Outcome(
            allowed=not can_refuse,
            proceed="no" if can_refuse else "yes",
            reason=f"anyhook could not judge this call: {why}" if can_refuse else "",
            payload=payload,
            failure=why,
        )
