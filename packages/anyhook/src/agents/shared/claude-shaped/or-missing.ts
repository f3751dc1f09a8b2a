import type { Hook, Way } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';

/** The hook of an entry; where reading it found an error, one that fails by its policy instead of vanishing. */
export function orMissing(problems: readonly Problem[], make: () => Hook): Hook {
  const before = problems.length;
  const made = make();
  const fault = problems.slice(before).find(({ severity }) => severity === 'error');
  if (fault === undefined) return made;
  const why = { kind: 'not-loaded', detail: fault.message } as const;
  return { ...made, run: { kind: 'missing', why } satisfies Way };
}
