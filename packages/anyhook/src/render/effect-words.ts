/**
 * Describes the effects of a hook. An ignored effect gets its reason, and one in shadow gets what it would
 * have done.
 */

import { same } from '../events/changes.ts';
import type { Effect } from '../events/effects.ts';
import type { IgnoredEffect } from '../events/outcome.ts';
import { SHADOW, type WouldHave } from '../events/would-have.ts';
import { type Text, recordedText } from '../journal/index.ts';
import type { Paint } from './paint.ts';
import { brief } from './safe.ts';

const WOULD: Readonly<Partial<Record<Effect['kind'], string>>> = {
  ask: 'would have asked',
  defer: 'would have deferred',
  deny: 'would have refused',
  halt: 'would have stopped the agent',
  cancel: 'would have cancelled',
  resume: 'would have continued',
};

export function effectWords(
  effect: Effect,
  ignored: readonly IgnoredEffect[],
  paint: Paint,
  longest = 60,
): string {
  const words = (word: string) => wordsFor(effect, word, longest);
  const why = ignored.find((one) => same(one.effect, effect))?.why;
  if (why === undefined) return words(effect.kind);
  const word = why === SHADOW ? WOULD[effect.kind] : undefined;
  if (word !== undefined) return paint('yellow', words(word));
  return paint('dim', `${words(effect.kind)} (ignored: ${why})`);
}

/** Formats `would have refused: not by an agent`. */
export function heldBack({ verdict, reasons }: WouldHave, paint: Paint): string {
  const text = reasons
    .map((one) => one.text)
    .filter(Boolean)
    .join('; ');
  return `${paint('yellow', WOULD[verdict]!)}${text === '' ? '' : `: ${brief(text, 90)}`}`;
}

function wordsFor(effect: Effect, word: string, longest: number): string {
  if (effect.kind === 'set') return `set ${brief(effect.at.join('.'), 60)}`;
  if (effect.kind === 'give') return `gives a ${effect.what}`;
  if (effect.kind === 'context' || effect.kind === 'notice') return word;
  const reason = recordedText((effect.reason ?? '') as Text); // from a record, where a long reason is cut
  return reason === '' ? word : `${word}: ${brief(reason, longest)}`;
}
