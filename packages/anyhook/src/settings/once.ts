/** The same hook reached by two files runs once, under the stricter policy; both places are kept. */
import { same } from '../events/changes.ts';
import type { Hook, OnFailure, OnOpaque, Way } from '../events/hook.ts';

const STRICT: Record<OnFailure, number> = { allow: 0, ask: 1, block: 2 };
const WARY: Record<OnOpaque, number> = { allow: 0, run: 1, ask: 2, block: 3 };

export function once(hooks: readonly Hook[], cwd: string): Hook[] {
  const kept: Hook[] = [];
  const places = new Map<string, number>();
  for (const hook of hooks) {
    const key = keyOf(hook, cwd);
    const at = key === null ? undefined : places.get(key);
    if (at !== undefined) kept[at] = stricter(kept[at]!, hook);
    else if (key === null) kept.push(hook);
    else places.set(key, kept.push(hook) - 1);
  }
  return kept;
}

/** Code is never taken for the same: two functions that look alike may close over different things. */
function keyOf(hook: Hook, cwd: string): string | null {
  if (hook.run.kind === 'call' || hook.run.kind === 'missing') return null;
  const run: Way = hook.run.kind === 'command' ? { ...hook.run, cwd: hook.run.cwd ?? cwd } : hook.run;
  return JSON.stringify([hook.dialect, hook.on, hook.matcher ?? null, run, hook.extra ?? null]);
}

function stricter(first: Hook, second: Hook): Hook {
  const policies = [first.onFailure, second.onFailure].filter((policy) => policy !== undefined);
  const onFailure = policies.toSorted((a, b) => STRICT[b] - STRICT[a])[0];
  const [opaque] = [first.opaque, second.opaque]
    .filter((policy) => policy !== undefined)
    .toSorted((a, b) => WARY[b] - WARY[a]);
  return {
    ...first,
    ...(onFailure !== undefined && { onFailure }),
    ...(opaque !== undefined && { opaque }),
    shadow: first.shadow && second.shadow,
    background: first.background && second.background,
    roles: same(first.roles, second.roles) ? first.roles : [...new Set([...first.roles, ...second.roles])],
    also: [...(first.also ?? []), second.origin],
  };
}
