#!/usr/bin/env bash
# PreToolUse on the shell: writes every command to an audit log, one JSON document a line. Decides nothing.
#
#   AUGMENTUM_AUDIT  the log (~/.local/state/augmentum/audit.jsonl)
set -u
umask 077
command -v jq >/dev/null || { echo 'augmentum-pre-tool-use: jq is needed' >&2; exit 1; }

log=${AUGMENTUM_AUDIT:-$HOME/.local/state/augmentum/audit.jsonl}
line=$(jq -c --arg time "$(date -u +%Y-%m-%dT%H:%M:%SZ)" \
  '{ time: $time, session_id, tool_name, command: .tool_input.command, cwd: (.cwd // .working_dir) }') || exit 1
mkdir -p -- "$(dirname -- "$log")" && printf '%s\n' "$line" >>"$log"
