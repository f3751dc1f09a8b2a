/** A line per hook while it runs, and what it decided. */
import type { Answer, Event, Hook } from 'anyhook';
import type { Listen } from '../happening.ts';

export function watch(listen: Listen) {
  return {
    onStart: (hook: Hook, event: Event) =>
      listen({
        kind: 'hook',
        id: hook.id,
        name: nameOf(hook),
        on: event.name,
        ...(hook.status !== undefined && { status: hook.status }),
      }),
    onEnd: (hook: Hook, event: Event, { ms, answer }: { readonly ms: number; readonly answer: Answer }) =>
      listen({
        kind: 'hook-ended',
        id: hook.id,
        name: nameOf(hook),
        on: event.name,
        ms,
        decided: decided(answer),
      }),
  };
}

const nameOf = ({ label, run, id }: Hook): string => {
  if (label !== undefined || run.kind !== 'command') return label ?? id;
  return 'line' in run.run ? run.run.line : run.run.argv.join(' ');
};

const WORDS: Readonly<Record<string, string>> = {
  allow: 'allowed',
  ask: 'asks the person',
  defer: 'leaves it to the person',
  deny: 'denied',
  context: 'added context',
  notice: 'said something',
  halt: 'stops the agent',
  cancel: 'cancelled',
  resume: 'makes the agent go on',
  retry: 'wants it tried again',
};

function decided({ effects, failed }: Answer): string {
  if (failed !== undefined)
    return `failed: ${failed.kind}${failed.detail === undefined ? '' : ` (${failed.detail})`}`;
  const words = effects.map((effect) => {
    if (effect.kind === 'set') return `changed ${effect.at.filter((part) => part !== undefined).join('.')}`;
    if (effect.kind === 'give') return `gave a ${effect.what}`;
    const why = 'reason' in effect && effect.reason ? `: ${effect.reason}` : '';
    return `${WORDS[effect.kind] ?? effect.kind}${why}`;
  });
  return [...new Set(words)].join(', ') || 'nothing to say';
}
