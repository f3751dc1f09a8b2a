#!/bin/bash
# tool.post, matcher edit_file|write_file, background: runs the tests after an edit.
. "$(dirname "$0")/argument.sh"

FILE=$(argument path) && [ -n "$FILE" ] || exit 0
case "${FILE##*.}" in
  ts | tsx) npm test -- --run --reporter=dot 2>&1 | tail -5 ;;
esac
exit 0
