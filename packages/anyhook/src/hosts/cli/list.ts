import { DIALECTS } from '../../assemble.ts';
import { groundOf } from '../../assembly/folders.ts';
import type { Hook } from '../../canon/hook.ts';
import { type Considered, readFolder } from '../../journal/index.ts';
import { backgroundWords } from '../../views/background.ts';
import { hookList, type ListedHook } from '../../views/hook-list.ts';
import { problemList } from '../../views/problem-list.ts';
import { brief } from '../../views/safe.ts';
import { type Screen, shortPath } from '../../views/screen.ts';
import { whatRuns } from '../../views/what-runs.ts';
import { wrap } from '../../views/wrap.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { checkFolder } from '../console/usage.ts';
import { straysIn } from '../doctor/look/strays.ts';
import type { Define } from './commands.ts';
import { offered, offeredLines } from './offered.ts';
import { survey } from './survey.ts';

export const define: Define = (command, done) => {
  command
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (options: { cwd?: string; json?: boolean }) => done(await list(options)));
};

/** Exit 1 when something is wrong with the settings: that is what one lists them for. */
export async function list(options: { readonly cwd?: string; readonly json?: boolean }): Promise<number> {
  checkFolder('list', options.cwd);
  const hooks = await survey(options.cwd);
  await hooks.close();
  const runs = lastRuns(journalFolder(options.cwd), new Set(hooks.hooks.map(({ id }) => id)));
  const strays = straysIn(groundOf(options.cwd === undefined ? {} : { cwd: options.cwd }), hooks.hooks);
  const listed = hooks.hooks.map((hook) => {
    const lastRun = runs.get(hook.id);
    return {
      hook,
      trust: trustOf(hook),
      onFailure: failureOf(hook),
      ...(lastRun !== undefined && { lastRun }),
    };
  });
  if (options.json === true)
    printJson({
      hooks: listed.map(({ hook, ...rest }) => ({ ...plainHook(hook), ...rest })),
      offers: offered(hooks.offers),
      problems: hooks.problems,
      notLoaded: strays,
      ...(hooks.disabled.length > 0 && { disabled: hooks.disabled.map(plainHook) }),
    });
  else {
    const screen = screenFor(options.cwd);
    print(listed.length === 0 ? ['No hooks were found.'] : hookList(listed, screen));
    if (hooks.disabled.length > 0)
      print(['', paint('bold', 'Switched off'), ...hooks.disabled.map((hook) => offLine(hook, screen))]);
    const brought = offeredLines(hooks.offers, screen);
    if (brought.length > 0) print(['', paint('bold', 'Modules also offer'), ...brought]);
    if (strays.length > 0)
      print([
        '',
        paint('bold', 'Not loaded'),
        ...strays.flatMap(({ file, why }) => [
          `  ${shortPath(file, screen)}`,
          ...wrap(`      ${why}`, screen.width, '      '),
        ]),
      ]);
    if (hooks.problems.length > 0)
      print([
        '',
        paint('bold', counted(hooks.problems.length, 'problem')),
        ...problemList(hooks.problems, screen),
      ]);
  }
  return hooks.problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

const offLine = (hook: Hook, screen: Screen): string =>
  `  ${brief(`${shortPath(hook.origin.file, screen)}:${hook.origin.line}  ${hook.on}  ${whatRuns(hook)}`, screen.width - 2)}`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function trustOf({ origin, run }: Hook): ListedHook['trust'] {
  if (origin.file === '(built in)') return 'built in';
  if (run.kind === 'missing' && run.why.kind === 'not-trusted') return 'waits';
  return origin.layer === 'project' ? 'trusted' : 'yours';
}

/** What a failure of this hook means: its own word, or its dialect's rule for a hook that cannot start. */
function failureOf(hook: Hook): string {
  const dialect = DIALECTS.find(({ name }) => name === hook.dialect);
  return hook.onFailure ?? dialect?.failure(hook.on, 'not-started', hook) ?? 'block';
}

/** A hook without its code. */
export function plainHook(hook: Hook): object {
  const { match, when: _, run, ...rest } = hook;
  const way = run.kind === 'call' ? { kind: 'call' } : run;
  return {
    ...rest,
    match: match.kind === 'pattern' ? { kind: match.kind, source: match.source } : match,
    run: way,
  };
}

interface LastRun {
  readonly at: string;
  /** What it said, in a word; `failed`: it broke. */
  readonly said: string;
}

/** So many records are looked through, from the newest: `list` is not the place to read years. */
const LOOKED_AT = 5000;

function lastRuns(folder: string, ids: ReadonlySet<string>): Map<string, LastRun> {
  const runs = new Map<string, LastRun>();
  let looked = 0;
  for (const entry of readFolder(folder, { order: 'newest-first' })) {
    if (runs.size === ids.size || ++looked > LOOKED_AT) break;
    if (entry.kind !== 'record') continue;
    for (const one of entry.record.hooks)
      if (
        (one.skipped === undefined || one.late !== undefined) &&
        ids.has(one.hook.id) &&
        !runs.has(one.hook.id)
      )
        runs.set(one.hook.id, { at: entry.record.at, said: saidIn(one) });
  }
  return runs;
}

function saidIn(one: Considered): string {
  const { failed, late, effects = [] } = one;
  if (late !== undefined) return backgroundWords(one);
  return failed === undefined ? (effects[0]?.kind ?? 'nothing') : failed.kind;
}
