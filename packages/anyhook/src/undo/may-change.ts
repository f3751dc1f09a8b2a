/** Whether a tool call may change files, which ones if that is certain, and what it takes away outside the project. */

import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { toolPath } from '../events/tool-path.ts';
import { mentionedBy } from '../self-protection/tool-paths.ts';
import { analyseOnce, type ShellAnalysis } from '../shell/analyse.ts';
import { enteredFolder, onlyReads } from '../shell/path-uses.ts';
import type { ShellWord } from '../shell/word.ts';
import { bytePath } from './byte-path.ts';

/** Tools of the table that change no files. Calls of a subagent are events of their own. */
const READERS: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'fetch', 'task', 'todo']);
const WRITERS: ReadonlySet<string> = new Set(['write', 'edit', 'multi-edit']);

export interface ChangingCall {
  readonly tool: string;
  readonly what: string;
  /** Byte paths below the project. Missing: it may change anything. */
  readonly paths?: readonly string[];
  /** Absolute byte paths outside the project. */
  readonly outside: readonly string[];
}

export interface CallPlaces {
  /** The project, with links resolved. */
  readonly root: string;
  readonly home: string;
}

const MOST_WHAT = 200;

/** Undefined: the call only reads. A tool that is not known may change files. */
export function changingCall(
  { payload, scene }: Event,
  { root, home }: CallPlaces,
): ChangingCall | undefined {
  const { tool, input } = payload as { readonly tool?: unknown; readonly input?: unknown };
  if (typeof tool !== 'string' || READERS.has(tool)) return undefined;
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Fields;
  const cwd = toolPath(typeof fields['cwd'] === 'string' ? fields['cwd'] : '.', { cwd: scene.cwd, home });
  if (WRITERS.has(tool)) {
    const named = mentionedBy(tool, fields).paths;
    const paths = named.flatMap((path) => below(root, toolPath(path, { cwd, home })) ?? []);
    // A patch that could not be read names no path.
    const isCertain = named.length > 0;
    return { tool, what: clipped(named.join(', ')), outside: [], ...(isCertain && { paths }) };
  }
  const { command } = fields;
  if (tool !== 'shell' || typeof command !== 'string') return { tool, what: clipped(tool), outside: [] };
  const analysis = analyseOnce(command);
  if (isReading(analysis)) return undefined;
  return { tool, what: clipped(command), outside: takenOutside(analysis, { cwd, root, home }) };
}

const clipped = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, MOST_WHAT);

function below(root: string, path: string): string | undefined {
  const way = relative(root, path);
  return way === '' || way.startsWith('..') || isAbsolute(way) ? undefined : bytePath(way);
}

/** git runs hooks of the project for these. */
const GIT_RUNS_HOOKS = /^(?:commit|push|fetch|add)$/;

function isReading({ acts, writes, unjudgeable, isCut, runsFiles }: ShellAnalysis): boolean {
  const isPlain = writes.every(
    ({ fixed, value }) => fixed && /^\/dev\/(?:null|stdout|stderr|tty)$/.test(value),
  );
  if (!isPlain || unjudgeable.length > 0 || isCut || runsFiles) return false;
  return acts.every(
    (act) => onlyReads(act) && !(act.program === 'git' && act.args.some((arg) => GIT_RUNS_HOOKS.test(arg))),
  );
}

const TAKES_AWAY = new Set(['rm', 'mv', 'rmdir', 'unlink']);

/** Operands of `rm` and `mv` that are outside the project. Words that only run time knows name nothing. */
function takenOutside(
  { acts }: ShellAnalysis,
  { cwd, root, home }: CallPlaces & { readonly cwd: string },
): readonly string[] {
  let folder: string | undefined = cwd;
  const found: string[] = [];
  for (const act of acts) {
    const entered = enteredFolder(act);
    if (entered !== undefined)
      folder =
        entered.fixed && folder !== undefined ? toolPath(entered.value, { cwd: folder, home }) : undefined;
    if (!TAKES_AWAY.has(act.program)) continue;
    const { operands, options } = act.invocation;
    const isTargetLast = act.program === 'mv' && !options.has('t'); // -t, --target-directory
    const taken = isTargetLast ? operands.slice(0, -1) : operands;
    for (const word of taken) {
      const path = placeIn(word, folder, home);
      if (
        path !== undefined &&
        path !== '/' &&
        below(root, path) === undefined &&
        !`${root}/`.startsWith(`${path}/`)
      )
        found.push(bytePath(path));
    }
  }
  return [...new Set(found)];
}
function placeIn(word: ShellWord, cwd: string | undefined, home: string): string | undefined {
  if (!word.fixed || /[*?[]/.test(word.value)) return undefined;
  if (word.text.startsWith('~/')) return join(home, word.value.slice(2));
  if (isAbsolute(word.value)) return resolve(word.value);
  return cwd === undefined ? undefined : resolve(cwd, word.value);
}
