/** What Gemini tells a hook: one JSON document on stdin, and where it is in the environment. */
import { isPlain } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Request } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { makeNatives } from '../../canon/natives.ts';
import { perEvent } from '../../canon/per-event.ts';
import { asItCame } from '../claude-shaped/as-it-came.ts';
import { translated } from '../claude-shaped/translation.ts';
import { geminiEvent, isGeminiWord } from './events.ts';
import { errorIn, GEMINI_TRANSLATIONS } from './payload-fields.ts';

export const payload = { write, read };

const natives = makeNatives();

function write(event: Event, hook: Hook): Request {
  const text = textFor(event, hook.on);
  if (hook.run.kind === 'call') return { kind: 'call', args: [JSON.parse(text)] };
  const { ids, scene } = event;
  const env = {
    GEMINI_PROJECT_DIR: scene.cwd,
    GEMINI_CWD: scene.cwd,
    GEMINI_SESSION_ID: ids.session,
    CLAUDE_PROJECT_DIR: scene.cwd,
  };
  return { kind: 'command', cwd: scene.cwd, stdin: `${text}\n`, env };
}

const textFor = perEvent((event, word) => JSON.stringify(documentOf(event, word)));

/** What came from Gemini goes on as it came; only what was changed since is written anew. */
function documentOf(event: Event, word: string): Fields {
  const { raw } = event;
  const said = geminiFieldsOf(event);
  if (!natives.has(raw) || raw['hook_event_name'] !== word) return { ...commonOf(event, word), ...said };
  return { ...asItCame(raw, geminiFieldsOf(read(raw)), said), cwd: event.scene.cwd };
}

export const geminiFieldsOf = (event: Event): Fields => translated(GEMINI_TRANSLATIONS, event);

/** A dialect keeps no clock: the moment is the host's to say, and the beginning of time where it does not. */
const commonOf = ({ ids, scene }: Event, word: string): Fields => ({
  session_id: ids.session,
  transcript_path: scene.transcript ?? '',
  cwd: scene.cwd,
  hook_event_name: word,
  timestamp: '1970-01-01T00:00:00.000Z',
});

/** Throws a TypeError for what names no event. An event that is newer than this table travels as `other`. */
function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const said: Fields = isPlain(native) ? native : {};
  const word = said['hook_event_name'];
  if (typeof word !== 'string' || word === '')
    throw new TypeError('no event of Gemini CLI: "hook_event_name" is missing');
  const plain = isGeminiWord(word) ? geminiEvent(word).on : 'other';
  const name = plain === 'tool.after' && errorIn(said['tool_response']) !== undefined ? 'tool.failed' : plain;
  natives.keep(native);
  return {
    name,
    payload: (GEMINI_TRANSLATIONS[name]?.read(said) ?? { word, body: native }) as Event['payload'], // as it came
    ids: { session: typeof said['session_id'] === 'string' ? said['session_id'] : '' },
    scene: {
      cwd: typeof said['cwd'] === 'string' ? said['cwd'] : (env['GEMINI_CWD'] ?? env['PWD'] ?? ''),
      ...(typeof said['transcript_path'] === 'string' && { transcript: said['transcript_path'] }),
    },
    raw: native,
    round: 1,
  };
}
