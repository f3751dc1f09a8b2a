/** Which of the commands in a shell line a hook is about. */
import type { FirePlan } from '../library/explain.ts';

/** Of a hook that is about some of the commands only: the shortest of them, which is the innermost. */
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
