#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in tests/*.txt; do
  name=$(basename "$file" .txt)
  ./build/app < "$file" > "$work/$name.out"
  diff -u "tests/$name.expected" "$work/$name.out" || { echo "failed: $name" >&2; exit 1; }
done
"${RUNNER:-echo}" "all passed"
