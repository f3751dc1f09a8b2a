/** Applies `disabled` from the user's own settings. A project cannot disable hooks. */

import type { SwitchedOff } from '../agents/anyhook/dialect/switched-off.ts';
import { type Hook, label } from '../events/hook.ts';
import { nearest, type Problem } from '../events/problems.ts';
import type { LoadedSettings } from '../settings/load.ts';

export interface SwitchedHooks {
  readonly hooks: readonly Hook[];
  readonly disabled: readonly Hook[];
  readonly problems: readonly Problem[];
}

/** `but` lists ids that run regardless of the settings. */
export function switchOff(
  hooks: readonly Hook[],
  settings: LoadedSettings['settings'],
  but: readonly string[] = [],
): SwitchedHooks {
  const entries = settings
    .filter(({ layer }) => layer === 'user' || layer === 'managed')
    .flatMap(({ values, file }) =>
      ((values['disabled'] ?? []) as readonly SwitchedOff[]).map((entry) => ({ ...entry, file })),
    );
  if (entries.length === 0) return { hooks, disabled: [], problems: [] };
  const off = (hook: Hook) =>
    MINE.has(hook.origin.layer) &&
    !but.includes(hook.id) &&
    entries.some((entry) => entry.id === hook.id && isSame(entry, hook));
  const problems = entries.flatMap((entry) => {
    const other = hooks.find(({ id }) => id === entry.id);
    return other === undefined || isSame(entry, other) ? [] : [moved(entry, other)];
  });
  return { hooks: hooks.filter((hook) => !off(hook)), disabled: hooks.filter(off), problems };
}

/** Reports unknown ids in `only`. No hook runs for them, which must not look like hooks without an answer. */
export function askedInVain(only: readonly string[], hooks: readonly Hook[]): Problem[] {
  const known = new Set(hooks.map(({ id }) => id));
  const meant = (id: string): string | undefined => nearest(id, known);
  return only.flatMap((id, i) =>
    known.has(id)
      ? []
      : [
          {
            code: 'bad-value',
            file: 'createHooks',
            key: `limits.only[${i}]`,
            message: `unknown hook id ${JSON.stringify(id)}, so the entry has no effect.`,
            remedy:
              meant(id) === undefined
                ? 'Run `anyhook list --json` to see the ids.'
                : `Did you mean ${JSON.stringify(meant(id))}?`,
            severity: 'warning',
          },
        ],
  );
}

/**
 * Reports unknown approvers. A misspelt id answers nothing, so its questions would go to the user without explanation.
 */
export function unknownApprovers(approvers: readonly string[], hooks: readonly Hook[]): Problem[] {
  const known = new Set(hooks.map(({ id }) => id));
  return approvers
    .filter((id) => !known.has(id))
    .map((id) => {
      const meant = nearest(id, known);
      return {
        code: 'bad-value',
        file: 'hooks.json',
        key: 'approvers',
        message: `unknown hook id ${JSON.stringify(id)}, so it answers no questions.`,
        remedy:
          meant === undefined
            ? 'Run `anyhook list --json` to see the ids.'
            : `Did you mean ${JSON.stringify(meant)}?`,
        severity: 'warning',
      };
    });
}

/** Users cannot disable hooks of the organisation, and a program manages its own. */
const MINE: ReadonlySet<string> = new Set(['user', 'project']);

/** Some ids contain an index into a file. A different hook at that index was never disabled. */
const isSame = ({ runs }: SwitchedOff, hook: Hook): boolean => runs === undefined || runs === label(hook);

const moved = ({ id, runs, file }: SwitchedOff & { file: string }, hook: Hook): Problem => ({
  code: 'bad-value',
  file,
  key: 'disabled',
  message: `${JSON.stringify(id)} was switched off when it ran ${JSON.stringify(runs)}; it runs ${JSON.stringify(label(hook))} now, and stays on.`,
  remedy: 'Switch it off again, or remove the entry.',
  severity: 'warning',
});
