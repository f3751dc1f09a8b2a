/** The line by which an agent starts us, and how such a line is known again. */
import { join } from 'node:path';
import type { AgentSetup, InstallLocation } from './bridge.ts';

const FIRED = / fire --as [\w-]+ --host ([\w-]+) --deadline-ms \d/;

/** The agent that a line of ours was written for, now or by an older version; undefined for anybody else's line. */
export const bridgedBy = (line: string): string | undefined => FIRED.exec(line)?.[1];

/** Below the home folder: one path, whatever was installed how, so that what an agent's settings name never changes. */
const LAUNCHER = '.config/anyhook/launcher/fire';
export const launcherFile = ({ home }: Pick<InstallLocation, 'home'>): string => join(home, LAUNCHER);

/** How a failure of our own begins, for the model and for the person. */
export const REFUSED = 'anyhook could not judge this call, so it is refused';
export const UNASKED = 'anyhook: no hook was asked';

/**
 * The launcher is read into a shell, and answers. Where it is gone, the line passes and says so; `deadlineMs` is below the
 * agent's own, so that the answer is ours.
 */
export const openLine = (setup: AgentSetup, deadlineMs: number): string =>
  lineOf(setup, deadlineMs, { word: '', said: UNASKED, code: 1 });

/**
 * For an entry that judges tool calls: anything but 0 or 2 (no launcher, no Node, no anyhook, a crash, a kill) becomes exit 2
 * with a reason. Never on prompts and stops, where a broken bridge would lock the person out or the agent in.
 */
export const closedLine = (setup: AgentSetup, deadlineMs: number): string =>
  lineOf(setup, deadlineMs, { word: '1', said: REFUSED, code: 2 });

/** What can be done where we are gone. */
const cureFor = (agent: string, file: string): string =>
  `To mend it: anyhook install ${agent}; to go on without it, delete the lines of anyhook from ${file}`;

interface Failure {
  /** What `$closed` is for the launcher. */
  readonly word: '' | '1';
  readonly said: string;
  readonly code: number;
}

/** In a project's file no path of this machine: the shell itself looks up where the home is. */
function lineOf(
  { scope, home, strict, agent, dialect, file }: AgentSetup,
  deadlineMs: number,
  { word, said, code }: Failure,
): string {
  const [name, launcher] =
    scope === 'project' ? ['anyhook', `$HOME/${LAUNCHER}`] : [quoted(launcherFile({ home })), '$0'];
  // No variable of ours is read in the line itself: Grok Build looks each up before it starts the shell, and starts none then.
  const stands = file.replaceAll(/[^\w/.~-]/g, '?'); // it is spoken by a shell
  const script = `closed=${word} file="${stands}"; [ -r "${launcher}" ] && . "${launcher}"; echo "${said}: ${launcher} is gone. ${cureFor(agent, stands)}" >&2; exit ${code}`;
  return `/bin/sh -c ${quoted(script)} ${name} fire --as ${dialect} --host ${agent} --deadline-ms ${deadlineMs}${strict ? ' --strict' : ''}`;
}

/** For a POSIX shell. */
export const quoted = (word: string): string =>
  /^[\w/.:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
