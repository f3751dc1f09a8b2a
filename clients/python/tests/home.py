"""An empty home folder and project for one test."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Mapping

sys.path.insert(0, str(Path(__file__).parent.parent))
CASES = Path(__file__).parents[2] / "conformance" / "cases.json"


class Home:
    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="ah-python-"))
        self.home, self.project = self.root / "home", self.root / "project"
        self.home.mkdir()
        self.project.mkdir()

    def write(self, files: Mapping[str, Any]) -> None:
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("{home}", str(self.home)).replace("{project}", str(self.project)))

    def guard(self, run: str, match: str = "shell", event: str = "tool.before") -> None:
        hooks = {"hooks": {event: [{"match": match, "run": run}]}}
        self.write({"home/.config/anyhook/hooks.json": hooks})

    @property
    def options(self) -> Mapping[str, Any]:
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        return {"cwd": str(self.project), "home": str(self.home), "env": env}

    def remove(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def differences(expected: Any, found: Any, at: str = "outcome") -> "list[str]":
    """Every expected field must be there; objects may have more, lists must be equal."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [fault for key, value in expected.items() for fault in differences(value, found.get(key), f"{at}.{key}")]
    return [] if expected == found else [f"{at}: expected {expected!r}, found {found!r}"]
