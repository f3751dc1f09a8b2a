# Sourced by the hooks beside it: `argument NAME` prints one of the tool's arguments; nothing where it is not there.
# JSON is read by whatever is there (jq, node, python3). Cut arguments are read from the file that holds all of them.
# Fails when nothing here can read JSON, when what came is none, or when the argument is no text: a guard must then block.

argument() {
  if command -v jq >/dev/null 2>&1; then
    if [ -n "${OPTA_PAYLOAD_FILE:-}" ]; then
      cat -- "$OPTA_PAYLOAD_FILE" | jq -er '.tool_args'
    else
      printf '%s' "${OPTA_TOOL_ARGS:-}"
    fi | jq -njr --arg name "$1" '
      [inputs] | if length == 1 and (.[0] | type) == "object" then .[0][$name] else error("no object") end
      | if . == null then "" elif type == "string" then . else error("no text") end'
  elif command -v node >/dev/null 2>&1; then
    node -e '
      const file = process.env.OPTA_PAYLOAD_FILE;
      const text = file ? JSON.parse(require("fs").readFileSync(file, "utf8")).tool_args : process.env.OPTA_TOOL_ARGS;
      const input = JSON.parse(text);
      if (typeof input !== "object" || input === null || Array.isArray(input)) throw new Error("no object");
      const value = Object.hasOwn(input, process.argv[1]) ? input[process.argv[1]] : null;
      if (value !== null && typeof value !== "string") throw new Error("no text");
      process.stdout.write(value ?? "");
    ' -- "$1"
  elif command -v python3 >/dev/null 2>&1; then
    python3 -c '
import json, os, sys
file = os.environ.get("OPTA_PAYLOAD_FILE")
text = json.load(open(file, encoding="utf-8"))["tool_args"] if file else os.environ["OPTA_TOOL_ARGS"]
value = json.loads(text).get(sys.argv[1])
if not (value is None or isinstance(value, str)):
    sys.exit("no text")
sys.stdout.buffer.write((value or "").encode("utf-8", "replace"))
' "$1"
  else
    return 1
  fi 2>/dev/null
}
