"""A small agent in Python whose users' hooks work, whichever agent they were written for."""

import json
import os
import subprocess
import sys
import urllib.request

from anyhook import Hooks, ToolRefused

CAN = {
    "prompt.submit": {"deny": "full", "context": "full"},
    "tool.before": {"deny": "full", "set": "full"},
    "tool.after": {"set": "full"},
    "turn.stop": {"resume": "full"},
}
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
TOOL = {"name": "shell", "description": "Runs a shell command", "input_schema": SCHEMA}


def ask_model(messages: list) -> dict:
    body = {"model": os.environ.get("MODEL", "any"), "max_tokens": 4096, "tools": [TOOL], "messages": messages}
    headers = {"content-type": "application/json", "x-api-key": os.environ.get("MODEL_KEY", "")}
    request = urllib.request.Request(os.environ["MODEL_URL"] + "/v1/messages", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def main(prompt: str) -> int:
    with Hooks("python-agent", can=CAN) as hooks:

        @hooks.tool
        def shell(command: str) -> str:
            done = subprocess.run(command, shell=True, capture_output=True, text=True)
            return done.stdout + done.stderr

        submitted = hooks.fire("prompt.submit", {"prompt": prompt})
        if not submitted.allowed:
            print(submitted.reason, file=sys.stderr)
            return 1
        messages = [{"role": "user", "content": "\n".join([submitted.payload["prompt"], *submitted.for_model])}]
        while True:
            answer = ask_model(messages)
            messages.append({"role": "assistant", "content": answer["content"]})
            results = []
            for part in answer["content"]:
                if part["type"] == "text":
                    print(part["text"])
                if part["type"] == "tool_use":
                    try:
                        text = shell(**part["input"])
                    except ToolRefused as refused:
                        text = f"Refused: {refused}"
                    results.append({"type": "tool_result", "tool_use_id": part["id"], "content": text})
            if not results:
                stop = hooks.fire("turn.stop", {"active": len(messages) > 2})
                if stop.allowed:
                    return 0
            messages.append({"role": "user", "content": results or stop.reason})


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
