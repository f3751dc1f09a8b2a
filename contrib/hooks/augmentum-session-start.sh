#!/usr/bin/env bash
# SessionStart: tells the model which machine it works on, which models the fleet has, and where the repository stands.
# Prints {"additionalContext": …}, or nothing. Never blocks: what cannot be found out is left out.
#
#   AUGMENTUM_RUN      folder with node.json and models.json   (/run/augmentum)
#   AUGMENTUM_GATEWAY  address of an OpenAI-compatible gateway (unset: not asked)
set -u
command -v jq >/dev/null || { echo 'augmentum-session-start: jq is needed' >&2; exit 1; }

event=$(cat)
cwd=$(jq -r '.cwd // .working_dir // "."' <<<"$event")
run=${AUGMENTUM_RUN:-/run/augmentum}

node() {
  local identity=
  [ -r "$run/node.json" ] &&
    identity=$(jq -r '[.name, .role, .id] | map(select(. != null)) | join(", ")' "$run/node.json" 2>/dev/null)
  echo "Node: ${identity:-$(uname -n)} ($(uname -sm))"
}

models() {
  local list=
  if [ -n "${AUGMENTUM_GATEWAY:-}" ] && command -v curl >/dev/null; then
    list=$(curl -fsS --max-time 2 "$AUGMENTUM_GATEWAY/v1/models" 2>/dev/null | jq -r '[.data[].id] | join(", ")' 2>/dev/null)
  fi
  [ -z "$list" ] && [ -r "$run/models.json" ] &&
    list=$(jq -r '[.models[]? | if type == "object" then .id else . end] | join(", ")' "$run/models.json" 2>/dev/null)
  [ -n "$list" ] && echo "Models: $list"
}

repository() {
  # Nothing that the repository configures may run: no hooks, no file monitor, no pager.
  local git=(git -C "$cwd" -c core.fsmonitor=false -c core.hooksPath=/dev/null --no-pager --no-optional-locks)
  local branch changes
  branch=$("${git[@]}" symbolic-ref --quiet --short HEAD 2>/dev/null || "${git[@]}" rev-parse --short HEAD 2>/dev/null) || return 0
  changes=$("${git[@]}" status --porcelain --ignore-submodules 2>/dev/null | wc -l)
  echo "Git: on $branch, $((changes)) changed files"
  "${git[@]}" log -3 --no-color --no-show-signature --format='  %h %s' 2>/dev/null
}

{ node; models; repository; } | jq -Rs '{ additionalContext: rtrimstr("\n") }'
