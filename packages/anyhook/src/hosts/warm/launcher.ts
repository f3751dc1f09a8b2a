/**
 * What an agent's settings really start: a few lines of shell at one path below the home folder, which survives other
 * versions of Node, other places of ours and reinstalls. It asks the engine, where one listens, with `nc`; otherwise, and
 * whenever the engine does not take the event, it starts our program, which answers by itself.
 */
import { existsSync } from 'node:fs';
import { failedLines, quoted } from '../../agents/shared/command-line.ts';
import { COLD_ENDING, HEARD_ENDING, TAKEN_ENDING } from './spool.ts';
import { SEPARATOR, SILENT_FOR_S, TAKEN, TAKEN_WITHIN_S } from './wire.ts';

/** The system's own, whatever the agent's `PATH` says first. (`command -p` would find it too, and takes a fork more.) */
const TEE = ['/usr/bin/tee', '/bin/tee'].find((file) => existsSync(file)) ?? 'tee';

export interface LauncherParts {
  readonly node: string;
  readonly bin: string;
  /** A `nc` that speaks to Unix sockets and closes its side at the end of its input; undefined: our program asks by itself. */
  readonly nc: string | undefined;
  /** Where the engine listens: not looked up in the environment of an event, which a project may have a hand in. */
  readonly engine: string;
}

export const launcherText = ({
  node,
  bin,
  nc,
  engine,
}: LauncherParts): string => `# anyhook: read by the lines that \`anyhook install\` puts into agents, with the words of \`anyhook fire\`.
# Written anew by \`anyhook install\`; \`anyhook doctor\` says what is wrong with it. $closed: a failure refuses, and
# otherwise ends with 1, or as the agent wants it; $file: where the line stands that reads this.
node=${quoted(node)} bin=${quoted(bin)} engine=${quoted(engine)}

# Nobody has answered, and why.
${failedLines(' To go on without anyhook, delete its lines from ${file:-the hooks of this agent}')}
gone() {
  failed ": $1 is gone. Install anyhook again, then: anyhook doctor."
}
# How our program ended: 0 and 2 are answers.
ended() {
  case $1 in 0 | 2) exit "$1" ;; esac
  failed " (exit $1). See: anyhook doctor."
}
if ! [ -x "$node" ]; then
  was=$node node=$(command -v node) || gone "$was"
fi
if ! [ -r "$bin" ]; then
  was=$bin bin=$(readlink -f "$(command -v anyhook)" 2>/dev/null)
  bin=\${bin%/bin/anyhook.cjs} && bin=\${bin%/dist}/dist/bin/anyhook.cjs
  [ -r "$bin" ] || gone "$was"
fi
${nc === undefined ? '' : engineLines(nc)}
"$node" "$bin" "$@" --engine "${nc === undefined ? 'ask' : 'start'}:$engine"
ended $?
`;

const PLACES = /^node=('(?:[^']|'\\'')*'|\S+) bin=('(?:[^']|'\\'')*'|\S+) engine=/m;

/** What a launcher would start; undefined for a text that is none. */
export function startedBy(text: string): Pick<LauncherParts, 'node' | 'bin'> | undefined {
  const [, node, bin] = PLACES.exec(text) ?? [];
  return node === undefined || bin === undefined ? undefined : { node: unquoted(node), bin: unquoted(bin) };
}
const unquoted = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word;

/**
 * The payload is kept aside while the engine gets it: who is not answered by it starts the program with that. What is heard
 * goes into a file, because to read one the shell needs no fork; a long answer says so in its first line.
 */
const engineLines = (nc: string): string => `
if [ -S "$engine/socket" ] && [ -O "$engine/socket" ] && [ -w "$engine/spool" ]; then
  kept=$engine/spool/$$ answer=$engine/spool/$$${HEARD_ENDING} socket=$engine/socket heard=
  # The process of this agent's session, where it listens by itself; it hands on what is not its own.
  if [ -S "$engine/direct/$PPID" ] && [ -O "$engine/direct/$PPID" ]; then socket=$engine/direct/$PPID; fi
  if { trap '' PIPE; printf 'anyhook 1 %s %s %s\\n%s\\n' "$$" "$PPID" "$*" "$bin"; LC_ALL=C exec ${TEE} "$kept"; } 2>/dev/null | ${quoted(nc)} -NU -w ${TAKEN_WITHIN_S} "$socket" 2>/dev/null >"$answer"; then
    IFS= read -r heard 2>/dev/null <"$answer"
    case $heard in *whole | cold | '') ;; *) heard=$(command -p cat "$answer" 2>/dev/null) ;; esac
  fi
  # It has the event, and its answer is not here: it is gone, busy with a hook, late on a busy machine, or the disk is full. The
  # engine is asked for the answer.
  silent=
  case $heard in ${TAKEN}*whole | cold) ;; ${TAKEN}*) silent=1 ;; *) [ -e "$kept" ] || silent=1 ;; esac
  if [ -n "$silent" ]; then
    again=$(printf 'anyhook 1 again %s\\n' "$$" | exec ${quoted(nc)} -NU -w ${SILENT_FOR_S} "$engine/socket" 2>/dev/null)
    case $again in ${TAKEN}*) heard=$again ;; esac
  fi
  answered() {
    [ "$5" = whole ] || return
    case $2 in cold) order=start && return ;; lost) return ;; esac
    [ -z "$3" ] || printf %s "$3"
    [ -z "$4" ] || printf %s "$4" >&2
    ended "$2"
  }
  order=replace
  case $heard in
    ${TAKEN}*)
      order=lost old=$IFS IFS='${SEPARATOR}'
      set -f
      answered $heard
      IFS=$old
      set +f
      ;;
    cold) order=start ;;
  esac
  # Whoever renames what was kept answers the event: the engine may have been late, and not gone.
  if command -p mv "$kept" "$kept${COLD_ENDING}" 2>/dev/null; then
    kept=$kept${COLD_ENDING}
    [ "$order" = start ] || order=replace
  else
    kept=$kept${TAKEN_ENDING}
    [ "$order" = start ] || order=lost
  fi
  [ -r "$kept" ] || gone "$kept"
  "$node" "$bin" "$@" --engine "$order:$engine" <"$kept"
  status=$?
  command -p rm -f "$kept" "$answer"
  ended $status
fi
`;
