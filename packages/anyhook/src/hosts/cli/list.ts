import { DIALECTS } from '../../assemble.ts';
import type { Hook } from '../../canon/hook.ts';
import { show } from '../../canon/problems.ts';
import { hookRows } from '../../views/hook-rows.ts';
import { paint, print, printJson } from './print.ts';
import { survey } from './survey.ts';

/** Exit 1 when something is wrong with the settings: that is what one lists them for. */
export async function list(options: { readonly cwd?: string; readonly json?: boolean }): Promise<number> {
  const hooks = await survey(options.cwd);
  const rows = hooks.hooks.map((hook) => ({ hook, trust: trustOf(hook), onFailure: failureOf(hook) }));
  const errors = hooks.problems.filter(({ severity }) => severity === 'error').length;
  if (options.json === true)
    printJson({
      hooks: rows.map(({ hook, ...rest }) => ({ ...plainHook(hook), ...rest })),
      problems: hooks.problems,
    });
  else {
    print(rows.length === 0 ? ['No hooks were found.'] : hookRows(rows, paint));
    if (hooks.problems.length > 0)
      print([
        '',
        ...hooks.problems.map(
          (p) => `${paint(p.severity === 'error' ? 'red' : 'yellow', p.severity)}: ${show(p)}`,
        ),
      ]);
  }
  await hooks.close();
  return errors > 0 ? 1 : 0;
}

function trustOf({ origin, run }: Hook): string {
  if (run.kind === 'missing' && run.why.kind === 'not-trusted') return 'waits';
  return origin.layer === 'project' ? 'trusted' : 'yours';
}

/** What a failure of this hook means: its own word, or its dialect's rule for a hook that cannot start. */
function failureOf(hook: Hook): string {
  const dialect = DIALECTS.find(({ name }) => name === hook.dialect);
  return hook.onFailure ?? `${dialect?.failure(hook.on, 'not-started', hook) ?? 'block'} (${hook.dialect})`;
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
