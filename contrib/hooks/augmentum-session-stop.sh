#!/usr/bin/env bash
# Stop: one line of telemetry for the turn that ended. Decides nothing, and stays on this machine.
#
#   AUGMENTUM_SESSIONS  the log (~/.local/state/augmentum/sessions.jsonl)
#   AUGMENTUM_AUDIT     where this session's commands are counted
set -u
umask 077
command -v jq >/dev/null || { echo 'augmentum-session-stop: jq is needed' >&2; exit 1; }

state=$HOME/.local/state/augmentum
log=${AUGMENTUM_SESSIONS:-$state/sessions.jsonl}
audit=${AUGMENTUM_AUDIT:-$state/audit.jsonl}
event=$(cat)
session=$(jq -r '.session_id // empty' <<<"$event")
commands=0
[ -r "$audit" ] && commands=$(jq -Rr --arg id "$session" 'fromjson? | select(.session_id == $id) | 1' "$audit" | wc -l)

line=$(jq -c --arg time "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --argjson commands "$((commands))" '
  { time: $time, session_id, cwd: (.cwd // .working_dir), commands: $commands,
    answer_length: ((.last_assistant_text // .last_assistant_message // "") | length) }' <<<"$event") || exit 1
mkdir -p -- "$(dirname -- "$log")" && printf '%s\n' "$line" >>"$log"
