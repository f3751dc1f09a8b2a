/**
 * What an agent's settings really start: a few lines of shell at one path below the home folder, which survives other
 * versions of Node, other places of ours and reinstalls. It asks the engine, where one listens, with `nc`; otherwise, and
 * whenever the engine does not take the event, it starts our program, which answers by itself.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoted } from '../../agents/shared/command-line.ts';
import { makeFolder } from '../../settings/make-folder.ts';
import { writeOwn } from '../../settings/own-file.ts';
import { launcherFolder } from './places.ts';
import { SEPARATOR, TAKEN } from './wire.ts';

export interface LauncherParts {
  readonly node: string;
  readonly bin: string;
  /** A `nc` that speaks to Unix sockets and closes its side at the end of its input; undefined: our program asks by itself. */
  readonly nc: string | undefined;
}

export const launcherFile = (home: string): string => join(launcherFolder(home), 'fire');

/** Written whole or not at all; a file that says the same is left as it is. */
export function writeLauncher(home: string, parts: LauncherParts): void {
  const file = launcherFile(home);
  const text = launcherText(parts);
  if (launcherTextIn(home) === text) return;
  makeFolder(launcherFolder(home));
  writeOwn(file, text);
  if (launcherTextIn(home) !== text) throw new Error(`${file} cannot be written`);
}

export function launcherTextIn(home: string): string | undefined {
  try {
    return readFileSync(launcherFile(home), 'utf8');
  } catch {
    return undefined;
  }
}

/** The OpenBSD one, by what it says of itself. */
export function usableNc(path: string = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, 'nc'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
      } catch {
        return false;
      }
      const { stdout, stderr } = spawnSync(file, ['-h'], { encoding: 'utf8', timeout: 5000 });
      const help = `${stdout}${stderr}`;
      return /^\s*-N\b/m.test(help) && /^\s*-U\b/m.test(help);
    });
}

export const launcherText = ({
  node,
  bin,
  nc,
}: LauncherParts): string => `# anyhook: read by the lines that \`anyhook install\` puts into agents, with the words of \`anyhook fire\`.
# Written anew by \`anyhook install\`; \`anyhook doctor\` says what is wrong with it. $closed: a failure refuses.
node=${quoted(node)} bin=${quoted(bin)}
[ -x "$node" ] || node=$(command -v node)
[ -r "$bin" ] || bin=$(readlink -f "$(command -v anyhook)" 2>/dev/null)

# How our program ended: 0 and 2 are answers.
ended() {
  case $1 in 0 | 2) exit "$1" ;; esac
  [ -n "$closed" ] || exit "$1"
  echo "anyhook could not judge this call (exit $1), so it is refused. See: anyhook doctor" >&2
  exit 2
}
${nc === undefined ? '' : engineLines(nc)}
"$node" "$bin" "$@" --engine start
ended $?
`;

/** The payload is kept aside while the engine gets it: who does not take the event leaves it to the program. */
const engineLines = (nc: string): string => `
engine=\${XDG_STATE_HOME:-$HOME/.local/state}/anyhook/engine
if [ -S "$engine/socket" ] && [ -O "$engine/socket" ]; then
  kept=$engine/spool/$$
  heard=$({ trap '' PIPE; printf 'anyhook 1 %s %s\\n' "$$" "$*"; exec tee "$kept"; } 2>/dev/null | exec ${quoted(nc)} -NU -w 3 "$engine/socket" 2>/dev/null)
  answered() {
    then=lost
    [ "$5" = whole ] || return
    case $2 in cold) then=start && return ;; lost) return ;; esac
    [ -z "$3" ] || printf %s "$3"
    [ -z "$4" ] || printf %s "$4" >&2
    ended "$2"
  }
  case $heard in
    ${TAKEN}*)
      old=$IFS IFS='${SEPARATOR}'
      set -f
      answered $heard
      IFS=$old
      set +f
      ;;
    '') then=replace ;;
    *) then=start ;;
  esac
  "$node" "$bin" "$@" --engine $then <"$kept"
  status=$?
  rm -f "$kept"
  ended $status
fi
`;
