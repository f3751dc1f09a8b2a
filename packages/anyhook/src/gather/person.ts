/**
 * Is it a person who decides here, as far as can be told? A terminal on stdin and as the controlling one, no mark of an
 * agent in the environment, no agent among the ancestors nor its mark in theirs. A process that was detached, and keys
 * that are sent into the person's terminal, cannot be told apart: every such act is announced. See SECURITY.md.
 */
import { closeSync, openSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import { AGENTS } from '../agents/index.ts';
import { AGENT_MARKS } from '../agents/marks.ts';
import { OTHER_PROGRAMS } from '../agents/others.ts';
import { type Ancestor, ancestors } from '../runs/ancestors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables by which we and agents mark what we start. */
const MARKS: Readonly<Record<string, string>> = { ANYHOOK_DEPTH: 'a hook', ...AGENT_MARKS };

/** Why nobody can be taken for a person here; undefined: somebody can. */
export const whyNoPerson = (env: Env): string | undefined =>
  startedByAgent(env) ?? (hasTerminal() ? undefined : 'here is no terminal');

/** Undefined: a person, or a program of theirs. */
export function startedByAgent(env: Env): string | undefined {
  const mark = markIn(env);
  if (mark !== undefined) return `started by ${MARKS[mark]} (${mark} is set)`;
  const agent = agentAmong(ancestors());
  return agent === undefined ? undefined : `started by ${agent}`;
}

/** For what is decided on the way: without a terminal nothing else is looked at. */
export const mayBeAsked = (env: Env): boolean => isatty(0) && whyNoPerson(env) === undefined;

const markIn = (env: Env): string | undefined => Object.keys(MARKS).find((name) => (env[name] ?? '') !== '');

/** Stdin may be a terminal that is not ours: one that was opened for us, in a session of its own. */
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

const INTERPRETERS = /^(?:node|nodejs|bun|deno|npx|bunx|python[\d.]*|(?:ba|z|da)?sh)$/;

/** The program itself, or the script that an interpreter was started with. */
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

/** For the record of what a person did: the terminal, and who started us, nearest first. */
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
