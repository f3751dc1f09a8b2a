/** What Codex tells a hook: one JSON document on stdin, and nothing in the environment. */
import { isPlain } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Request } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { makeNatives } from '../../canon/natives.ts';
import { perEvent } from '../../canon/per-event.ts';
import { asItCame } from '../claude-shaped/as-it-came.ts';
import { frameFrom, given, translated } from '../claude-shaped/translation.ts';
import { type CodexWord, codexEvent, isCodexWord } from './events.ts';
import { CODEX_TRANSLATIONS } from './payload-fields.ts';

export const payload = { write, read };

const natives = makeNatives();

function write(event: Event, hook: Hook): Request {
  const text = textFor(event, hook.on);
  if (hook.run.kind === 'mcp') return { kind: 'send', body: JSON.stringify(hook.run.input ?? {}) };
  if (hook.run.kind === 'call') return { kind: 'call', args: [JSON.parse(text)] };
  return { kind: 'command', cwd: event.scene.cwd, stdin: `${text}\n` };
}

const textFor = perEvent((event, word) => JSON.stringify(documentOf(event, word as CodexWord)));

/** What came from Codex goes on as it came; only what was changed since is written anew. */
function documentOf(event: Event, word: CodexWord): Fields {
  const { raw } = event;
  const said = codexFieldsOf(event);
  if (!natives.has(raw) || raw['hook_event_name'] !== word) return { ...commonOf(event, word), ...said };
  return { ...asItCame(raw, codexFieldsOf(read(raw)), said), cwd: event.scene.cwd };
}

export const codexFieldsOf = (event: Event): Fields => translated(CODEX_TRANSLATIONS, event);

/** Codex names a turn on all but the events of a session. */
function commonOf({ ids, scene }: Event, word: CodexWord): Fields {
  const isOfTurn = word !== 'SessionStart' && word !== 'SessionEnd';
  const isTold = !word.endsWith('Compact') && word !== 'SessionEnd' && !word.endsWith('ModelRequest');
  return {
    session_id: ids.session,
    ...(isOfTurn && { turn_id: ids.session }),
    transcript_path: scene.transcript ?? null,
    cwd: scene.cwd,
    hook_event_name: word,
    model: scene.model ?? '',
    ...(isTold && { permission_mode: scene.mode === 'bypassPermissions' ? scene.mode : 'default' }),
    ...given({ agent_id: ids.agent, agent_type: scene.agentType }),
  };
}

/** Throws a TypeError for what names no event. An event that is newer than this table travels as `other`. */
function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const said: Fields = isPlain(native) ? native : {};
  const word = said['hook_event_name'];
  if (typeof word !== 'string' || word === '')
    throw new TypeError('no event of Codex: "hook_event_name" is missing');
  const name = isCodexWord(word) ? codexEvent(word).on : 'other';
  natives.keep(native);
  return {
    name,
    payload: (CODEX_TRANSLATIONS[name]?.read(said) ?? { word, body: native }) as Event['payload'], // as it came
    ...frameFrom(said, env['PWD']),
    raw: native,
    round: 1,
  };
}
