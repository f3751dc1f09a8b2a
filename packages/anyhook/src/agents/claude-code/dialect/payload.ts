/** Writes the payload for Claude Code hooks: one JSON document, and a few variables for commands. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { perEvent } from '../../../events/per-event.ts';
import { asItCame } from '../../shared/claude-shaped/as-it-came.ts';
import { frameFrom } from '../../shared/claude-shaped/translation.ts';
import { variablesOf } from './environment.ts';
import { type ClaudeWord, claudeEvent, isClaudeWord } from './events.ts';
import { natives } from './natives.ts';
import { claudeFieldsOf, CLAUDE_TRANSLATIONS } from './payload-fields.ts';
import { fillPlaceholders } from './placeholders.ts';

export const payload = { write, read };

const MODES: ReadonlySet<unknown> = new Set([
  'default',
  'plan',
  'acceptEdits',
  'auto',
  'dontAsk',
  'bypassPermissions',
]);

function write(event: Event, hook: Hook): Request {
  const word = hook.on as ClaudeWord; // hooks of this dialect only have events of this dialect
  switch (hook.run.kind) {
    case 'command':
      return {
        kind: 'command',
        cwd: event.scene.cwd,
        stdin: `${textFor(event, word)}\n`,
        env: variablesOf(event, hook),
        ...(claudeEvent(word).envFile && { files: { CLAUDE_ENV_FILE: '' }, exports: 'CLAUDE_ENV_FILE' }),
      };
    case 'mcp':
      return {
        kind: 'send',
        body: JSON.stringify(fillPlaceholders(hook.run.input ?? {}, documentOf(event, word))),
      };
    case 'call':
    case 'isolated':
      return { kind: 'call', args: [JSON.parse(textFor(event, word))] };
    default:
      return { kind: 'send', body: textFor(event, word) };
  }
}

const textFor = perEvent((event, word) => JSON.stringify(documentOf(event, word as ClaudeWord)));

/** Keeps the native payload and rewrites only changed fields. */
export function documentOf(event: Event, word: ClaudeWord): Fields {
  const { raw } = event;
  const fields = claudeFieldsOf(event);
  if (!natives.has(raw) || !isClaudeWord(raw['hook_event_name']))
    return { ...commonOf(event, word), ...fields, hook_event_name: word };
  if (raw['hook_event_name'] !== word) return { ...shared(raw), ...commonOf(event, word), ...fields };
  return { ...asItCame(raw, claudeFieldsOf(read(raw)), fields), cwd: event.scene.cwd };
}

function commonOf({ ids, scene }: Event, word: ClaudeWord): Fields {
  return {
    session_id: ids.session,
    transcript_path: scene.transcript ?? '',
    cwd: scene.cwd,
    ...(claudeEvent(word).mode && { permission_mode: MODES.has(scene.mode) ? scene.mode : 'default' }),
    ...(ids.agent !== undefined && { agent_id: ids.agent }),
    ...(scene.agentType !== undefined && { agent_type: scene.agentType }),
    hook_event_name: word,
  };
}

/** Fields that an event shares with another one fired in its place. */
const shared = ({ prompt_id, effort }: Fields): Fields => ({
  ...(prompt_id !== undefined && { prompt_id }),
  ...(effort !== undefined && { effort }),
});

/** Throws a TypeError if the payload names no event. Events that are newer than the table become `other`. */
function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const payloadFields: Fields = isPlain(native) ? native : {};
  const word = payloadFields['hook_event_name'] ?? payloadFields['event'];
  if (typeof word !== 'string' || word === '')
    throw new TypeError('not a Claude Code event: "hook_event_name" is missing');
  const name = isClaudeWord(word) ? claudeEvent(word).on : 'other';
  natives.keep(native);
  return {
    name,
    payload: (CLAUDE_TRANSLATIONS[name]?.read(payloadFields) ?? { word, body: native }) as Event['payload'], // unchanged
    ...frameFrom(payloadFields, env['CLAUDE_PROJECT_DIR'] ?? env['PWD']),
    raw: native,
    round: 1,
  };
}
