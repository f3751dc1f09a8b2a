#!/bin/bash
# tool.pre, matcher run_command: blocks recursive removals. Whatever it cannot read or check, it blocks too.
# A seat belt, not a wall: it looks at the text of the command. For isolation use a sandbox.
. "$(dirname "$0")/argument.sh"

if ! CMD=$(argument command); then
  echo "Blocked: the command cannot be read here (is it JSON? is jq, node or python3 installed?)" >&2
  exit 1
fi

export LC_ALL=C # bytes, as the shell splits them
# Continued lines are joined, quotes and backslashes go, $IFS becomes a blank: `"r"\m${IFS}-rf` reads `rm -rf`.
PLAIN='{ joined = sub(/\\$/, ""); gsub(/["\047\\]/, ""); gsub(/[$][{]?IFS[}]?/, " "); printf "%s%s", $0, joined ? "" : "\n" }'
# The word rm, and behind it, before the command ends, an option with r or R in it, or --recursive however short.
RECURSIVE='(^|[^[:alnum:]_.-])rm([[:space:]][^;&|]*)?[[:space:]](-[[:alpha:]]*[rR]|--r)'

printf '%s\n' "$CMD" | awk "$PLAIN" | grep -qE -- "$RECURSIVE"
case "${PIPESTATUS[1]} ${PIPESTATUS[2]}" in
  '0 1') exit 0 ;;
  *' 0') echo "Blocked: destructive rm" >&2 ;;
  *) echo "Blocked: the command could not be checked" >&2 ;;
esac
exit 1
