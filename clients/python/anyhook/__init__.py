"""Lifecycle hooks for AI agents: a client of `anyhook serve`. Standard library only, Python 3.9 or newer."""

from ._async import AsyncHooks
from ._outcome import HooksError, Outcome, ToolRefused
from ._sync import Hooks

__all__ = ["AsyncHooks", "Hooks", "HooksError", "Outcome", "ToolRefused"]
