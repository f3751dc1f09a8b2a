/** Validates registered hooks: returns valid entries and a problem for everything else. Never throws. */

import { shown, suggestion } from '../../../events/checker.ts';
import { isFields } from '../../../events/fields.ts';
import type { OnFailure } from '../../../events/hook.ts';
import type { Problem, ProblemCode } from '../../../events/problems.ts';
import type { HookCallback } from './hook-callback.ts';
import { HOOK_EVENTS, type HookEvent, isHookEvent } from './hook-event.ts';

export const PROGRAM = '(program)';

/** One matcher with its callbacks, in registration order. */
export interface HookEntry {
  readonly event: HookEvent;
  readonly matcher: string | null;
  readonly callbacks: readonly HookCallback[];
  readonly timeoutMs?: number;
  readonly onFailure?: OnFailure;
  /** Its location: `PreToolUse[0]`. */
  readonly key: string;
}
export interface ReadHooks {
  readonly entries: readonly HookEntry[];
  readonly problems: readonly Problem[];
}

type Say = (code: ProblemCode, key: string, message: string, remedy: string, warns?: 'warning') => void;
type Loose = Readonly<Record<string, unknown>>;

export function readCallbackHooks(hooks: unknown, file = PROGRAM): ReadHooks {
  const problems: Problem[] = [];
  const say: Say = (code, key, message, remedy, severity) =>
    void problems.push({ code, file, key, message, remedy, severity: severity ?? 'error' });
  if (hooks === null || hooks === undefined) return { entries: [], problems };
  if (!isFields(hooks)) {
    say(
      'wrong-type',
      'hooks',
      `is ${shown(hooks)}.`,
      'Write an object that maps events to a callback or matchers.',
    );
    return { entries: [], problems };
  }
  const entries = Object.keys(hooks).flatMap((word) => entriesOf(word, hooks[word], say));
  return { entries, problems };
}

function entriesOf(word: string, value: unknown, say: Say): HookEntry[] {
  if (!isHookEvent(word)) {
    say('unknown-event', word, `unknown event ${shown(word)}.`, suggestion(word, HOOK_EVENTS));
    return [];
  }
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) say('empty-list', word, 'is an empty list.', 'Add a callback.', 'warning');
  return list.flatMap((one, index) => entryOf(word, one, `${word}[${index}]`, say));
}

const KEYS = ['matcher', 'hooks', 'timeout', 'onFailure'];

function entryOf(event: HookEvent, value: unknown, key: string, say: Say): HookEntry[] {
  if (isCallback(value)) return [{ event, matcher: null, callbacks: [value], key }];
  if (!isFields(value)) {
    say('wrong-type', key, `is ${shown(value)}.`, 'Write a function, or { matcher?, hooks: [function] }.');
    return [];
  }
  for (const odd of Object.keys(value).filter((name) => !KEYS.includes(name)))
    say('unknown-key', `${key}.${odd}`, `unknown key ${shown(odd)}.`, suggestion(odd, KEYS), 'warning');
  const callbacks = callbacksIn(value['hooks'], `${key}.hooks`, say);
  if (callbacks.length === 0) return [];
  const timeoutMs = timeoutIn(value, key, say);
  const onFailure = policyIn(value, key, say);
  return [
    {
      event,
      matcher: matcherIn(value, key, say),
      callbacks,
      key,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onFailure !== undefined && { onFailure }),
    },
  ];
}

function callbacksIn(value: unknown, key: string, say: Say): HookCallback[] {
  if (!Array.isArray(value)) {
    say('wrong-type', key, `is ${shown(value)}.`, 'Write a list of functions.');
    return [];
  }
  if (value.length === 0) say('empty-list', key, 'is an empty list.', 'Add a callback.', 'warning');
  return value.filter((one, index): one is HookCallback => {
    if (isCallback(one)) return true;
    say(
      'wrong-type',
      `${key}[${index}]`,
      `is ${shown(one)}.`,
      'Write a function; the others are registered.',
    );
    return false;
  });
}

/** An invalid matcher must not disable a guard, so it matches everything. */
function matcherIn({ matcher = null }: Loose, key: string, say: Say): string | null {
  if (matcher === null || typeof matcher === 'string') return matcher;
  say(
    'bad-matcher',
    `${key}.matcher`,
    `is ${shown(matcher)}.`,
    'Write a string; until then the hook matches everything.',
  );
  return null;
}

function timeoutIn({ timeout }: Loose, key: string, say: Say): number | undefined {
  if (timeout === undefined || timeout === null) return undefined;
  if (typeof timeout === 'number' && timeout > 0) return timeout * 1000;
  say(
    'bad-value',
    `${key}.timeout`,
    `is ${shown(timeout)}.`,
    'Write seconds; until then the default is used.',
    'warning',
  );
  return undefined;
}

const POLICIES: Readonly<Record<string, OnFailure>> = {
  allow: 'allow',
  continue: 'allow',
  ask: 'ask',
  block: 'block',
};
/** An unknown policy is read as the strictest one. */
function policyIn({ onFailure }: Loose, key: string, say: Say): OnFailure | undefined {
  if (onFailure === undefined || onFailure === null) return undefined;
  const known = typeof onFailure === 'string' && Object.hasOwn(POLICIES, onFailure);
  if (known) return POLICIES[onFailure];
  const remedy = `${suggestion(String(onFailure), Object.keys(POLICIES))} Until then a failure blocks.`;
  say('bad-value', `${key}.onFailure`, `is ${shown(onFailure)}.`, remedy);
  return 'block';
}

const isCallback = (value: unknown): value is HookCallback => typeof value === 'function';
