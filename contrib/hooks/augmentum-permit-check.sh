#!/usr/bin/env bash
# PreToolUse: lets a call pass only under a permit of this session. Exit 2 refuses, with the reason on stderr.
# Without a permits file, or with one that cannot be read, everything passes: permits are off.
#
#   AUGMENTUM_PERMITS  the file (/run/augmentum/permits.json):
#     { "active": [ { "scope": "shell", "commands": ["git *", "npm test"] },
#                   { "scope": "write", "paths": ["/src/app/*"] }, { "scope": "network", "hosts": ["*.example.org"] } ] }
#   A permit without commands, paths or hosts covers its whole scope; the scope "*" covers every one.
#
# This reads command text. It is a seat belt, not a wall: for a wall use a sandbox of the system.
set -u
permits=${AUGMENTUM_PERMITS:-/run/augmentum/permits.json}
[ -r "$permits" ] || exit 0
command -v jq >/dev/null || { echo 'augmentum-permit-check: jq is needed' >&2; exit 1; }
active=$(jq -ce '.active | arrays' "$permits" 2>/dev/null) || exit 0

event=$(cat)
field() { jq -r "$1 // empty" <<<"$event"; }
refuse() { echo "$1" >&2; exit 2; }

tool=$(field .tool_name)
case ${tool##*__} in
  shell | Bash) scope=shell limits=commands subject=$(field '.tool_input.command | strings') ;;
  write | edit | text_editor | Write | Edit | MultiEdit)
    scope=write limits=paths subject=$(field '.tool_input | (.path // .file_path) | strings') ;;
  read | read_file | read_image | tree | Read) scope=read limits=paths subject=$(field '.tool_input | (.path // .file_path) | strings') ;;
  fetch | web_scrape | WebFetch)
    scope=network limits=hosts subject=$(field '.tool_input.url | strings' | sed -E 's#^[a-z]+://([^/@]*@)?([^/:?]*).*#\2#') ;;
  *) scope=$tool limits=none subject= ;;
esac

# Without "..": a path is compared as what it means.
if [ "$limits" = paths ] && [ -n "$subject" ]; then
  case $subject in /*) ;; *) subject=$(field '.cwd // .working_dir')/$subject ;; esac
  subject=$(realpath -m -- "$subject" 2>/dev/null) || refuse "The path of this $scope call cannot be judged."
fi

patterns=$(jq -r --arg scope "$scope" --arg limits "$limits" '
  .[] | select(.scope == $scope or .scope == "*") | if .[$limits] == null then "*" else .[$limits][] end
' <<<"$active")
[ -n "$patterns" ] || refuse "No permit covers '$scope'. Ask for the scope '$scope', or do without $tool."

# One command may hide another: what chains, substitutes or redirects passes only where everything does.
simple() { [ "$limits" != commands ] || ! grep -q '[;&|<>`$(){}]' <<<"$1" && [ "$(wc -l <<<"$1")" -eq 1 ]; }
while IFS= read -r pattern; do
  [ "$pattern" = '*' ] && exit 0
  # shellcheck disable=SC2254  # a permit is a pattern
  case $subject in $pattern) simple "$subject" && exit 0 ;; esac
done <<<"$patterns"
refuse "The permits for '$scope' do not cover: $subject"
