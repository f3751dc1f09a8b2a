#!/usr/bin/env bash
# UserPromptSubmit: rules, and what memory and vault know about the words of the prompt.
# Prints {"additionalContext": …, "sources": […], "tier": …}, or nothing.
#
#   AUGMENTUM_HOME  folder with rules/, memory/ and vault/ of *.md (~/.augmentum)
#   AUGMENTUM_TIER  minimal: rules; standard: and memory; full: and vault (the event's "tier", else full)
#   AUGMENTUM_CQI   address of a CQI v1 bridge, asked instead of the folders
set -u
command -v jq >/dev/null || { echo 'augmentum-context-inject: jq is needed' >&2; exit 1; }

home=${AUGMENTUM_HOME:-$HOME/.augmentum}
most_bytes=8192
event=$(cat)
field() { jq -r "$1 // empty" <<<"$event"; }
prompt=$(field '.user_prompt // .prompt // .message')
tier=${AUGMENTUM_TIER:-$(field .tier)}
tier=${tier:-full}

answer() { # <context> <sources, one a line>
  [ -n "$1" ] || exit 0
  jq -n --arg text "$1" --arg sources "$2" --arg tier "$tier" \
    '{ additionalContext: $text, sources: ($sources | split("\n") | map(select(. != ""))), tier: $tier }'
  exit 0
}

if [ -n "${AUGMENTUM_CQI:-}" ]; then
  reply=$(jq -c --arg tier "$tier" --arg prompt "$prompt" '{ version: 1, prompt: $prompt, session_id, tier: $tier, cwd }' <<<"$event" |
    curl -fsS --max-time 5 -H 'content-type: application/json' --data-binary @- "$AUGMENTUM_CQI") ||
    { echo 'augmentum-context-inject: the CQI bridge did not answer' >&2; exit 1; }
  answer "$(jq -r '.context // empty' <<<"$reply")" "$(jq -r '.sources[]? // empty' <<<"$reply")"
fi

# Words of four letters and more, as fixed strings: a prompt is no pattern.
words=$(tr -cs '[:alnum:]' '\n' <<<"$prompt" | awk 'length >= 4' | sort -u | head -40)
matching() { # <folder>
  [ -n "$words" ] && [ -d "$1" ] && find "$1" -type f -name '*.md' -exec grep -liF -- "$words" {} + 2>/dev/null | sort | head -5
}
all() { [ -d "$1" ] && find "$1" -type f -name '*.md' 2>/dev/null | sort; }

files=$(
  all "$home/rules"
  [ "$tier" != minimal ] && matching "$home/memory"
  [ "$tier" = full ] && matching "$home/vault"
)
text=$(while IFS= read -r file; do
  [ -n "$file" ] && printf '## %s\n%s\n\n' "${file#"$home"/}" "$(cat -- "$file")"
done <<<"$files" | head -c "$most_bytes" | iconv -f utf-8 -t utf-8 -c 2>/dev/null)
answer "$text" "$(while IFS= read -r file; do printf '%s\n' "${file#"$home"/}"; done <<<"$files")"
