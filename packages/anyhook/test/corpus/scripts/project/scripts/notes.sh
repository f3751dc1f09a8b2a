#!/bin/bash
last=$(git describe --tags --abbrev=0)
git log "$last..HEAD" --pretty=format:'- %s' > notes.md
[ -n "$EDITOR" ] && "$EDITOR" notes.md
sed -i '1i # Changes' notes.md
