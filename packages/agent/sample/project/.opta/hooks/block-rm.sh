# Opta, tool.pre: no recursive removals. A seat belt, not a wall: it looks at the text of the call.
case "$OPTA_TOOL_ARGS" in
  *'rm -r'*)
    echo 'Blocked: destructive rm' >&2
    exit 1
    ;;
esac
