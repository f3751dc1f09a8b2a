/** Converts a valid answer to effects: common fields first, then those of the event. */

import {
  allow,
  ask,
  context,
  defer,
  deny,
  type Effect,
  type Fields,
  halt,
  notice,
  resume,
  retry,
  set,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { blocked, stopped } from './block.ts';
import { changesOf } from './call.ts';
import type { OutputField } from './event-row.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { rulesFrom } from './permission-update.ts';
import { outputChanges } from './tool-response.ts';

export function effectsOf(answer: Fields, specific: Fields, event: Event, word: ClaudeWord): Effect[] {
  const row = claudeEvent(word);
  const effects: Effect[] = [];
  if (answer['continue'] === false && row.unstoppable !== true)
    effects.push(stopped(event.name, textIn(answer, 'stopReason') ?? textIn(answer, 'reason')));
  if (row.decides && specific['permissionDecision'] === undefined) effects.push(...decided(answer, word));
  for (const field of row.fields)
    if (Object.hasOwn(specific, field)) effects.push(...FIELDS[field](specific, event, word));
  const message = textIn(answer, 'systemMessage');
  if (message !== undefined && row.message !== 'nobody')
    effects.push(row.message === 'model' ? context(message) : notice(message));
  const shown = row.message === 'nobody' ? [] : toldByTerminal(textIn(answer, 'terminalSequence') ?? '');
  return [...effects, ...shown];
}

// oxlint-disable-next-line no-control-regex -- they begin and end such a sequence
const NOTIFICATION = /\u001B\](9|99|777);([^\u0007\u001B]*)(?:\u0007|\u001B\\)/g;

/**
 * Converts a terminal notification to a text for the user. Every host can show text, and hook output must not control a
 * terminal. Window titles, the bell and progress bars are dropped.
 */
const toldByTerminal = (sequence: string): Effect[] =>
  [...sequence.matchAll(NOTIFICATION)].flatMap(([, kind, body = '']) => {
    const text = kind === '9' ? body : body.replace(kind === '99' ? /^[^;]*;/ : /^notify;/, '');
    const isCommand = kind === '9' && /^\d+;/.test(body); // ConEmu progress, titles and macros
    return isCommand || text.trim() === '' ? [] : [notice(kind === '777' ? text.replace(';', ': ') : text)];
  });

/** `approve` is the old name of an approval, and only applies before a tool. */
function decided(answer: Fields, word: ClaudeWord): Effect[] {
  const reason = textIn(answer, 'reason');
  if (answer['decision'] === 'block') return blocked(claudeEvent(word).block, reason);
  return answer['decision'] === 'approve' && word === 'PreToolUse' ? [allow(reason)] : [];
}

type Reader = (specific: Fields, event: Event, word: ClaudeWord) => readonly Effect[];
const nothing: Reader = () => [];
/** Only for native events without a common name. The field is set in the body. */
const inBody =
  (field: OutputField): Reader =>
  (specific, { name }) =>
    name === 'other' ? [set('body', field, specific[field])] : [];
const VERDICTS = { allow, ask, defer, deny };

/** The type requires all fields. Fields without a reader have no counterpart in our events; see the list of gaps. */
const FIELDS: Readonly<Record<OutputField, Reader>> = {
  permissionDecision: (specific) => [
    VERDICTS[specific['permissionDecision'] as keyof typeof VERDICTS](
      textIn(specific, 'permissionDecisionReason'),
    ),
  ],
  permissionDecisionReason: nothing, // read together with the decision
  updatedInput: (specific, event) => changesOf(event, specific['updatedInput'] as Fields),
  additionalContext: (specific, _, word) => {
    const text = textIn(specific, 'additionalContext') ?? '';
    if (text.trim() === '') return [];
    return claudeEvent(word).block === 'resume' ? [resume(text)] : [context(text)];
  },
  decision: (specific, event) => permission(specific['decision'] as Fields, event),
  retry: (specific) => (specific['retry'] === true ? [retry()] : []),
  updatedToolOutput: (specific, event) => outputChanges(event, specific['updatedToolOutput']),
  updatedMCPToolOutput: (specific, event) =>
    Object.hasOwn(specific, 'updatedToolOutput')
      ? []
      : outputChanges(event, specific['updatedMCPToolOutput']),
  classifierContext: nothing,
  sessionTitle: (specific) => [{ kind: 'give', what: 'title', value: specific['sessionTitle'] }],
  suppressOriginalPrompt: nothing,
  initialUserMessage: (specific) => [
    { kind: 'give', what: 'message', value: specific['initialUserMessage'] },
  ],
  watchPaths: inBody('watchPaths'),
  reloadSkills: nothing,
  action: (specific) => {
    const { action } = specific;
    const refusal = action === 'accept' ? [] : [deny(`answered with "${String(action)}"`)];
    return [...refusal, set('body', 'action', action)];
  },
  content: inBody('content'),
  worktreePath: inBody('worktreePath'),
  displayContent: inBody('displayContent'),
};

function permission(decision: Fields, event: Event): Effect[] {
  if (decision['behavior'] === 'deny') {
    const reason = textIn(decision, 'message');
    return [deny(reason), ...(decision['interrupt'] === true ? [halt(reason)] : [])];
  }
  const updated = decision['updatedInput'] as Fields | undefined;
  return [
    allow(),
    ...(updated === undefined ? [] : changesOf(event, updated)),
    ...rulesFrom(decision['updatedPermissions']),
  ];
}

const textIn = (fields: Fields, key: string): string | undefined =>
  typeof fields[key] === 'string' ? fields[key] : undefined;
