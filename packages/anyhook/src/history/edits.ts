/** Which calls edit files of the project: edit tools, and shell commands that are known to write files. */

import { relative, isAbsolute } from 'node:path';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { CallTest } from '../events/rule.ts';
import { NOTEBOOK_EDITS } from '../events/tools.ts';
import type { ShellAct } from '../shell/act.ts';
import { analyseOnce } from '../shell/analyse.ts';

const EDIT_TOOLS: ReadonlySet<unknown> = new Set(['write', 'edit', 'multi-edit', 'patch', ...NOTEBOOK_EDITS]);
const WRITERS: ReadonlySet<string> = new Set(
  'tee cp mv rm truncate touch install dd ln rsync patch unlink shred rmdir'.split(' '),
);
/** Editors of files in place, with the option that makes them so. */
const IN_PLACE: ReadonlySet<string> = new Set(['sed', 'perl', 'ruby', 'gawk']);
const GIT_WRITERS: ReadonlySet<string> = new Set(
  'checkout switch restore reset stash merge rebase pull cherry-pick revert apply am clean rm mv'.split(' '),
);

/** Unknown commands of a shell text count as edits, because a rule must not rest on a guess. */
export const isEdit: CallTest = ({ payload, scene }: Event) => {
  const { tool, input } = payload as { readonly tool: unknown; readonly input: Fields };
  if (EDIT_TOOLS.has(tool)) return true;
  const { command } = input;
  if (tool !== 'shell' || typeof command !== 'string') return false;
  const { acts, writes, unjudgeable } = analyseOnce(command);
  if (writes.some((word) => !word.fixed || isInProject(word.value, scene.cwd))) return true;
  if (acts.some(writesFiles)) return true;
  return unjudgeable.length > 0 ? { opaque: unjudgeable[0]! } : false;
};

function writesFiles({ program, args }: ShellAct): boolean {
  if (program === 'git') return GIT_WRITERS.has(args.find((arg) => !arg.startsWith('-')) ?? '');
  if (IN_PLACE.has(program)) return args.some((arg) => /^-[a-z]*i|^--in-place/.test(arg));
  return WRITERS.has(program);
}

function isInProject(path: string, cwd: string): boolean {
  if (!isAbsolute(path)) return true;
  const below = relative(cwd, path);
  return below !== '' && !below.startsWith('..') && !isAbsolute(below);
}
