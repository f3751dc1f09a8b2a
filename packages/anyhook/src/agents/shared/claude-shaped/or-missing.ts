import type { Hook, Way } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';

/** Returns the hook of an entry. If the entry has errors, the hook fails by its policy instead of vanishing. */
export function orMissing(problems: readonly Problem[], make: () => Hook): Hook {
  const before = problems.length;
  const made = make();
  const fault = problems.slice(before).find(({ severity }) => severity === 'error');
  if (fault === undefined) return made;
  const why = { kind: 'not-loaded', detail: fault.message } as const;
  return { ...made, run: { kind: 'missing', why } satisfies Way };
}
