import type { Hook } from '../events/hook.ts';

/** Makes hook ids unique, because records must tell two hooks with the same name apart. */
export function unique(hooks: readonly Hook[]): readonly Hook[] {
  const ids = new Set<string>();
  for (const { id } of hooks) ids.add(id);
  if (ids.size === hooks.length) return hooks;
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const count = (seen.get(hook.id) ?? 0) + 1;
    seen.set(hook.id, count);
    return count === 1 ? hook : { ...hook, id: `${hook.id} (${count})` };
  });
}
