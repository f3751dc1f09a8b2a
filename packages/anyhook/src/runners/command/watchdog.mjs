import { tmpdir } from 'node:os';
import { childProcess } from './child-process.mjs';
import { PREFIX } from './private-files.mjs';

/**
 * A shell that waits for the pipe to close and then kills the remaining groups. `kill -s KILL -- -1` works in
 * dash and bash, `kill -KILL -- -1` does not. The shell must not carry the mark that it searches for.
 */
const SCRIPT = `
live= bye=
while read -r word group mark; do
  case $word in
    start) live="$live $group:$mark" ;;
    end) left=; for one in $live; do [ "$one" = "$group:$mark" ] || left="$left $one"; done; live=$left ;;
    goodbye) bye=1 ;;
  esac
done
marks= ; [ "$bye" ] || marks="$1-"
for one in $live; do kill -s KILL -- "-\${one%%:*}"; [ "$bye" ] && marks="$marks \${one#*:}"; done
for mark in $marks; do
  round=0 calm=
  while [ $round -lt 20 ]; do
    found=$(grep -lsF -- "$mark" /proc/[0-9]*/environ)
    if [ ! "$found" ]; then
      # A process that is just starting has no environment yet.
      [ "$calm" ] && break
      calm=1; sleep 0.1 2>/dev/null || sleep 1
    fi
    for one in $found; do one=\${one#/proc/}; kill -s KILL "\${one%/environ}"; done
    round=$((round + 1))
  done
done
rm -rf -- "$2$1-"*
`;

/**
 * Kills everything that this process started once this process is gone, for whatever reason.
 * @param {string} session
 */
export function watchdog(session) {
  const child = childProcess().spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'anyhook-watchdog', session, `${tmpdir()}/${PREFIX}`],
    {
      cwd: '/',
      env: process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  // Without it hooks still run and end; only after a `kill -9` of this process would they remain.
  for (const part of [child, child.stdin]) part?.on('error', () => {});
  child.unref();
  const { stdin } = child;
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  const say = (/** @type {string} */ line) => void stdin?.write(`${line}\n`);
  return {
    /** @param {number} pid @param {string} mark */
    start: (pid, mark) => say(`start ${pid} ${mark}`),
    /** @param {number} pid @param {string} mark */
    end: (pid, mark) => say(`end ${pid} ${mark}`),
    goodbye: () => say('goodbye'),
    close: () => void stdin?.end('goodbye\n'),
  };
}
