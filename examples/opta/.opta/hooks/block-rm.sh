#!/bin/bash
# tool.pre, matcher run_command: blocks recursive removals.
# A seat belt, not a wall: it looks at the text of the command. For isolation use a sandbox.
. "$(dirname "$0")/argument.sh"

if ! CMD=$(argument command); then
  echo "Blocked: the command cannot be read here (install jq, node or python3)" >&2
  exit 1
fi
if printf '%s' "$CMD" | grep -qE '(^|[^[:alnum:]_.-])rm([[:space:]]+-[[:alnum:]-]+)*[[:space:]]+(-[[:alpha:]]*[rR]|--recursive)'; then
  echo "Blocked: destructive rm" >&2
  exit 1
fi
exit 0
