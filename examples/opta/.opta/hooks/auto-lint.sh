#!/bin/bash
# tool.post, matcher edit_file|write_file|multi_edit: lints the file that was written, with linters that are installed.
. "$(dirname "$0")/argument.sh"

FILE=$(argument path) && [ -n "$FILE" ] || exit 0
case "${FILE##*.}" in
  ts | tsx | js | jsx) npx --no -- eslint --fix -- "$FILE" 2>/dev/null ;;
  py) ruff check --fix -- "$FILE" 2>/dev/null ;;
esac
exit 0
