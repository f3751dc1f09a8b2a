#!/bin/sh
# What a person types: runs the words after it in a terminal of their own, apart from whoever runs the tests, so that an
# agent among the ancestors does not count. What is on stdin is typed; prints what the terminal shows; ends as it ended.
seen=$(mktemp)
typed=$(mktemp)
[ -t 0 ] || cat >"$typed"
line=$(for word in "$@"; do printf "'%s' " "$(printf %s "$word" | sed "s/'/'\\\\''/g")"; done)
setsid -f sh -c 'script -qec "$1" /dev/null <"$2" >"$3" 2>&1; echo $? >"$3.code"' sh "$line" "$typed" "$seen"
while [ ! -s "$seen.code" ]; do sleep 0.02; done
tr -d '\r' <"$seen"
code=$(cat "$seen.code")
rm -f "$seen" "$seen.code" "$typed"
exit "$code"
