# Sourced by the hooks beside it: `argument NAME` prints one of the tool's arguments.
# JSON is read by whatever is there (jq, node, python3). Cut arguments are read from the file that holds all of them.
# Fails when nothing here can read JSON, or when what came is none: a guard must then block.

argument() {
  if [ -n "${OPTA_PAYLOAD_FILE:-}" ]; then
    from_payload='.tool_args | fromjson |'
    set -- "$1" "$OPTA_PAYLOAD_FILE"
  else
    from_payload=''
    set -- "$1" /dev/stdin
  fi
  if command -v jq >/dev/null 2>&1; then
    printf '%s' "${OPTA_TOOL_ARGS:-}" |
      jq -j --arg name "$1" "$from_payload if type == \"object\" then .[\$name] // \"\" | strings else error(\"no object\") end" "$2" 2>/dev/null
  elif command -v node >/dev/null 2>&1; then
    node -e '
      const [name] = process.argv.slice(1), file = process.env.OPTA_PAYLOAD_FILE;
      const text = file ? JSON.parse(require("fs").readFileSync(file, "utf8")).tool_args : process.env.OPTA_TOOL_ARGS;
      const value = JSON.parse(text)[name];
      if (typeof value === "string") process.stdout.write(value);
    ' "$1" 2>/dev/null
  elif command -v python3 >/dev/null 2>&1; then
    python3 -c '
import json, os, sys
file = os.environ.get("OPTA_PAYLOAD_FILE")
text = json.load(open(file))["tool_args"] if file else os.environ["OPTA_TOOL_ARGS"]
value = json.loads(text).get(sys.argv[1])
sys.stdout.write(value if isinstance(value, str) else "")
' "$1" 2>/dev/null
  else
    return 1
  fi
}
