/**
 * Checks as far as possible that a user, not an agent, makes a decision: stdin is a terminal and the controlling
 * terminal, no agent marks the environment, and no ancestor process is an agent or carries such a mark. Detached
 * processes and keys injected into the user's terminal cannot be detected, so every such action is announced. See
 * SECURITY.md.
 */

import { closeSync, openSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import { AGENTS } from '../agents/index.ts';
import { AGENT_MARKS } from '../agents/marks.ts';
import { OTHER_PROGRAMS } from '../agents/others.ts';
import { type Ancestor, ancestors } from '../runs/ancestors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that we and agents set for child processes. */
const MARKS: Readonly<Record<string, string>> = { ANYHOOK_DEPTH: 'a hook', ...AGENT_MARKS };

/** Returns why no interactive user can be assumed; undefined: one can. */
export const whyNoPerson = (env: Env): string | undefined =>
  startedByAgent(env) ?? (hasTerminal() ? undefined : 'this is not an interactive terminal');

/** Undefined: started by a user or one of their programs. */
export function startedByAgent(env: Env): string | undefined {
  const mark = markIn(env);
  if (mark !== undefined) return `started by ${MARKS[mark]} (${mark} is set)`;
  const agent = agentAmong(ancestors());
  return agent === undefined ? undefined : `started by ${agent}`;
}

/** For optional questions: without a terminal, nothing else is checked. */
export const mayBeAsked = (env: Env): boolean => isatty(0) && whyNoPerson(env) === undefined;

const markIn = (env: Env): string | undefined => Object.keys(MARKS).find((name) => (env[name] ?? '') !== '');

/** Stdin may be a terminal that is not the controlling one, opened in a session of its own. */
function hasTerminal(): boolean {
  if (!isatty(0)) return false;
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

export function agentAmong(found: readonly Ancestor[]): string | undefined {
  for (const { argv, env } of found) {
    const mark = markIn(env);
    const name = programOf(argv) ?? (mark === undefined ? undefined : `${MARKS[mark]} (${mark} is set)`);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The process of the nearest agent. */
export const agentPidAmong = (found: readonly Ancestor[]): number | undefined =>
  found.find(({ argv }) => programOf(argv) !== undefined)?.pid;

const INTERPRETERS = /^(?:node|nodejs|bun|deno|npx|bunx|python[\d.]*|(?:ba|z|da)?sh)$/;

/** Returns the program, or the script that an interpreter runs. */
function programOf(argv: readonly string[]): string | undefined {
  const [program = '', ...rest] = argv;
  const script = INTERPRETERS.test(plain(program)) ? rest.find((word) => !word.startsWith('-')) : undefined;
  const names = [plain(program), ...(script === undefined ? [] : [plain(script)])];
  const agent = Object.values(AGENTS).find(
    (one) =>
      names.includes(one.program.name) ||
      (one.program.npm !== null && script?.includes(`/${one.program.npm}/`) === true),
  );
  return agent?.shown ?? OTHER_PROGRAMS.find((name) => names.includes(name));
}
const plain = (path: string): string => basename(path).replace(/\.(?:[cm]?js|exe)$/, '');

/** The terminal and the ancestor processes, nearest first, for the record of a user action. */
export const circumstances = (): { terminal: string | null; ancestors: readonly string[] } => ({
  terminal: terminalName(),
  ancestors: ancestors().map(({ argv }) =>
    argv
      .slice(0, 2)
      .map((word) => basename(word))
      .join(' '),
  ),
});

function terminalName(): string | null {
  if (!isatty(0)) return null;
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    return 'a terminal';
  }
}
