/** The line by which an agent starts us, and how such a line is known again. */
import { join } from 'node:path';
import type { AgentSetup, InstallLocation } from './bridge.ts';

const FIRED = / fire --as [\w-]+ --host ([\w-]+) --deadline-ms \d/;

/** The agent that a line of ours was written for, now or by an older version; undefined for anybody else's line. */
export const bridgedBy = (line: string): string | undefined => FIRED.exec(line)?.[1];

/** Below the home folder: one path, whatever was installed how, so that what an agent's settings name never changes. */
const LAUNCHER = '.config/anyhook/launcher/fire';
/** Without a scope, a person's. */
export type LauncherLocation = Pick<InstallLocation, 'home'> & Partial<Pick<InstallLocation, 'scope'>>;
/** Where only root can write. */
export const MANAGED_LAUNCHERS = 'etc/anyhook/launcher';
export const launcherFile = ({ scope, home }: LauncherLocation): string =>
  join(home, scope === 'managed' ? `${MANAGED_LAUNCHERS}/fire` : LAUNCHER);

/** How a failure of our own begins, for the model and for the person. */
export const REFUSED = 'anyhook could not judge this call, so it is refused';
export const UNASKED = 'anyhook: no hook was asked';

/** By what an agent runs a line: `posix`, a shell that reads ours as it stands; `any`, the person's own, whatever that is. */
export type LineShell = 'posix' | 'any';

/**
 * How an agent hears that the line itself has failed. `exit`: 2 refuses, with a word on standard error, and 1 passes.
 * `document`: such a word never reaches the model there, or only its first line, and 1 may refuse too.
 */
export type LineHearing = 'exit' | 'document';
export interface LineTerms {
  readonly shell?: LineShell;
  readonly hearing?: LineHearing;
}

/**
 * The launcher is read into a shell, and answers. Where it is gone, the line passes and says so; `deadlineMs` is below the
 * agent's own, so that the answer is ours.
 */
export const openLine = (setup: AgentSetup, deadlineMs: number, terms: LineTerms = {}): string =>
  LINES[terms.shell ?? 'any'](setup, deadlineMs, FAILURES[terms.hearing ?? 'exit'].open);

/**
 * For an entry that judges tool calls: anything but an answer (no launcher, no Node, no anyhook, a crash, a kill) becomes a
 * refusal with a reason. Never on prompts and stops, where a broken bridge would lock the person out or the agent in.
 */
export const closedLine = (setup: AgentSetup, deadlineMs: number, terms: LineTerms = {}): string =>
  LINES[terms.shell ?? 'any'](setup, deadlineMs, FAILURES[terms.hearing ?? 'exit'].closed);

/** A refusal for whoever reads documents: each of these agents has a pair of words of its own. `reason` is shell, in double quotes. */
const documentOf = (reason: string): string =>
  `"{\\"decision\\":\\"deny\\",\\"reason\\":\\"${reason}\\",\\"permissionDecision\\":\\"deny\\",\\"permissionDecisionReason\\":\\"${reason}\\"}"`;

/** The function of a launcher for when nobody has answered, and why: `$1`. `$closed` is what the line said. */
export const failedLines = (cure: string): string => `failed() {
  said="${REFUSED}$1${cure}"
  case $closed in
    1) echo "$said" >&2 && exit 2 ;;
    document)
      case $said in *\\\\* | *\\"* | *[![:print:]]*) said="${REFUSED}." ;; esac
      echo ${documentOf('$said')} && exit 0
      ;;
  esac
  echo "${UNASKED}$1" >&2
  [ "$closed" != passes ] || exit 0
  exit 1
}`;

/** What can be done where we are gone. */
const cureFor = ({ agent, scope }: AgentSetup, file: string): string =>
  scope === 'managed'
    ? 'Ask whoever keeps this machine'
    : `To mend it: anyhook install ${agent}; to go on without it, delete the lines of anyhook from ${file}`;

interface Failure {
  /** What `$closed` is for the launcher. */
  readonly word: '' | '1' | 'document' | 'passes';
  /** What the line says and does where the launcher is gone. */
  readonly tail: (launcher: string, cure: string) => string;
}
const aloud = (said: string, code: number) => (launcher: string, cure: string) =>
  `echo "${said}: ${launcher} is gone. ${cure}" >&2; exit ${code}`;
const FAILURES: Readonly<Record<LineHearing, Readonly<Record<'open' | 'closed', Failure>>>> = {
  exit: {
    open: { word: '', tail: aloud(UNASKED, 1) },
    closed: { word: '1', tail: aloud(REFUSED, 2) },
  },
  document: {
    open: { word: 'passes', tail: aloud(UNASKED, 0) },
    // Without the path: a sign in it could break the document, and a broken one refuses nothing.
    closed: {
      word: 'document',
      tail: (_, cure) => `echo ${documentOf(`${REFUSED}: its launcher is gone. ${cure}`)}; exit 0`,
    },
  },
};

/** In a project's file no path of this machine: the shell itself looks up where the home is. */
const LINES = {
  /** The agent's shell does it all: the start of another one would be a third of what an event costs. */
  posix(setup: AgentSetup, deadlineMs: number, failure: Failure): string {
    const launcher = setup.scope === 'project' ? `"$HOME/${LAUNCHER}"` : quoted(launcherFile(setup));
    return `set -- ${wordsOf(setup, deadlineMs)}; launcher=${launcher}; ${scriptFor('$launcher', setup, failure)}`;
  },
  any(setup: AgentSetup, deadlineMs: number, failure: Failure): string {
    const [name, launcher] =
      setup.scope === 'project' ? ['anyhook', `$HOME/${LAUNCHER}`] : [quoted(launcherFile(setup)), '$0'];
    return `/bin/sh -c ${quoted(scriptFor(launcher, setup, failure))} ${name} ${wordsOf(setup, deadlineMs)}`;
  },
};
const wordsOf = ({ agent, dialect, strict }: AgentSetup, deadlineMs: number): string =>
  `fire --as ${dialect} --host ${agent} --deadline-ms ${deadlineMs}${strict ? ' --strict' : ''}`;
function scriptFor(launcher: string, setup: AgentSetup, { word, tail }: Failure): string {
  // No variable but the launcher's is read in the line: Grok Build looks each up by itself, and starts nothing if one is unset.
  const stands = setup.file.replaceAll(/[^\w/.~-]/g, '?'); // it is spoken by a shell
  return `closed=${word} file="${stands}"; [ -r "${launcher}" ] && . "${launcher}"; ${tail(launcher, cureFor(setup, stands))}`;
}

/** For a POSIX shell. */
export const quoted = (word: string): string =>
  /^[\w/.:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
