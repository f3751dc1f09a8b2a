/** Hooks that the person has switched off by `disabled` in their own settings. A project switches off nothing. */
import { type Hook, label } from '../events/hook.ts';
import { nearest, type Problem } from '../events/problems.ts';
import type { SwitchedOff } from '../agents/anyhook/dialect/switched-off.ts';
import type { LoadedSettings } from '../settings/load.ts';

export interface SwitchedHooks {
  readonly hooks: readonly Hook[];
  readonly disabled: readonly Hook[];
  readonly problems: readonly Problem[];
}

/** `but`: ids that are asked for by name, whatever the settings say. */
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

/** Who is to be asked alone and is not there: then nobody is asked, which must not look like silence. */
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
            message: `no hook has the id ${JSON.stringify(id)}: nobody is asked for it.`,
            remedy:
              meant(id) === undefined
                ? '`anyhook list --json` shows the ids that there are.'
                : `Did you mean ${JSON.stringify(meant(id))}?`,
            severity: 'warning',
          },
        ],
  );
}

/** A misspelt approver answers nothing, so its questions would go to the user without a word why. */
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
        message: `no hook has the id ${JSON.stringify(id)}, so it answers no questions.`,
        remedy:
          meant === undefined
            ? '`anyhook list --json` shows the ids.'
            : `Did you mean ${JSON.stringify(meant)}?`,
        severity: 'warning',
      };
    });
}

/** An organisation's hooks are not the person's to switch off, a program's are its own. */
const MINE: ReadonlySet<string> = new Set(['user', 'project']);

/** Some ids count places in a file: what moved there since was never switched off. */
const isSame = ({ runs }: SwitchedOff, hook: Hook): boolean => runs === undefined || runs === label(hook);

const moved = ({ id, runs, file }: SwitchedOff & { file: string }, hook: Hook): Problem => ({
  code: 'bad-value',
  file,
  key: 'disabled',
  message: `${JSON.stringify(id)} was switched off when it ran ${JSON.stringify(runs)}; it runs ${JSON.stringify(label(hook))} now, and stays on.`,
  remedy: 'Switch it off again, or take the entry out.',
  severity: 'warning',
});
