/** Finds the commands in a shell line that a hook matches. */

import type { FirePlan } from '../library/explain.ts';

/** For a hook that matches only some commands: the shortest match, which is the innermost. */
export function causesOf(
  plan: FirePlan,
  commands: readonly { readonly text: string }[],
  planFor: (command: string) => FirePlan,
): Map<string, string> {
  const picky = plan.asked.filter(({ hook, matches }) => matches && hook.when !== undefined);
  const causes = new Map<string, string>();
  if (picky.length === 0) return causes;
  for (const { text } of commands)
    for (const { hook, matches, opaque } of planFor(text).asked)
      if (matches && opaque === undefined && text.length < (causes.get(hook.id)?.length ?? Infinity))
        causes.set(hook.id, text);
  const wanted = new Set(picky.map(({ hook }) => hook.id));
  return new Map([...causes].filter(([id]) => wanted.has(id)));
}
