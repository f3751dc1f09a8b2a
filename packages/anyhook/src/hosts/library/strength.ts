/** How strict the guards of a reading are, so that two readings can be compared. */
import { statSync } from 'node:fs';
import { type Hook, isBuiltIn, label } from '../../canon/hook.ts';

export type Strengths = Readonly<Record<string, string>>;

/**
 * `filesOf`: the scripts a hook names; another content is another guard. They are looked at now; the rest, which cannot
 * change, is put into words when it is asked for.
 */
export function strengthsOf(
  hooks: readonly Hook[],
  filesOf: (hook: Hook) => readonly string[],
): () => Strengths {
  const stamps = new Map<Hook, readonly string[]>();
  for (const hook of hooks.filter(isGuard)) {
    const files = filesOf(hook);
    if (files.length > 0) stamps.set(hook, files.map(stampOf));
  }
  return () =>
    Object.fromEntries(
      hooks.filter(isGuard).map((hook) => [hook.id, strengthOf(hook, stamps.get(hook) ?? [])]),
    );
}

const isGuard = ({ roles, origin, run }: Hook): boolean =>
  roles.includes('guard') && !isBuiltIn({ origin }) && run.kind !== 'missing';

function strengthOf(hook: Hook, stamps: readonly string[]): string {
  const { on, matcher, run, onFailure, timeoutMs, shadow, background } = hook;
  return JSON.stringify([
    on,
    matcher,
    run.kind === 'command' ? run.run : `${run.kind} ${label(hook)}`,
    onFailure,
    timeoutMs,
    shadow,
    background,
    stamps,
  ]);
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, mode } = statSync(file);
    return `${mtimeMs} ${size} ${mode}`;
  } catch {
    return 'gone';
  }
}

/** What a person is told about guards that are not what they were. New ones are no news. */
export const weakened = (before: Strengths, now: Strengths): string[] =>
  Object.entries(before).flatMap(([id, strength]) => {
    const is = now[id];
    if (is === strength) return [];
    const what = is === undefined ? 'stopped running' : 'changed';
    return [`anyhook: the guard ${id} ${what} since this session began. To look: anyhook list`];
  });
