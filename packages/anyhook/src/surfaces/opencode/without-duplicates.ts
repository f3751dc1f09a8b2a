import type { Target } from './resolve-plugin.ts';

/** The last declaration of a plugin counts, at its own place: it may carry newer options. */
export function withoutDuplicates(targets: readonly Target[]): Target[] {
  const last = new Map(targets.map((target, index) => [target.key, index]));
  return targets.filter((target, index) => last.get(target.key) === index);
}
