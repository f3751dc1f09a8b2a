/** Reads and writes the JSON payload on stdin. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { makeNatives } from '../../../events/natives.ts';
import { perEvent } from '../../../events/per-event.ts';
import { textsIn } from '../../../events/texts-in.ts';
import { asItCame } from '../claude-shaped/as-it-came.ts';
import { given, translated } from '../claude-shaped/translation.ts';
import { agentTypeIn, either, translationsFor } from './fields.ts';
import type { ShapedTerms } from './terms.ts';

export function payloadFor({
  shown,
  events,
  spelling,
  tools,
  unlike,
  variables,
  casing,
}: ShapedTerms<string>) {
  const natives = makeNatives();
  const translations = translationsFor(spelling, tools);
  const fieldsOf = (event: Event): Fields => translated(translations, event);

  /** Keeps the native payload and rewrites only changed fields. */
  function documentOf(event: Event, word: string): Fields {
    const { raw } = event;
    const fields = fieldsOf(event);
    if (!natives.has(raw) || raw['hook_event_name'] !== word || casing?.anew?.(word) === true) {
      const document = { ...commonOf(event, word), ...fields };
      return casing?.write(word, document, nativeOf(event)) ?? document;
    }
    return { ...asItCame(raw, fieldsOf(read(raw)), fields), cwd: event.scene.cwd };
  }
  /** The payload as the agent of this dialect sent it; empty if the event came from another agent. */
  const nativeOf = ({ raw }: Event): Fields => (natives.has(raw) ? raw : {});
  const textFor = perEvent((event, word) => JSON.stringify(documentOf(event, word)));

  function write(event: Event, hook: Hook): Request {
    const text = textFor(event, hook.on);
    if (hook.run.kind === 'call') return { kind: 'call', args: [JSON.parse(text)] };
    const { ids, scene } = event;
    const env = variables(scene.cwd, ids.session, nativeOf(event));
    return { kind: 'command', cwd: scene.cwd, stdin: `${text}\n`, env };
  }

  /** Throws a TypeError if the payload names no event. Events that are newer than the table become `other`. */
  function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
    const came: Fields = isPlain(native) ? native : {};
    const fields = casing?.read(came) ?? came;
    const word = fields['hook_event_name'];
    if (typeof word !== 'string' || word === '')
      throw new TypeError(`not a ${shown} event: "hook_event_name" is missing`);
    const row = Object.hasOwn(events, word) ? events[word] : undefined;
    const name = unlike?.(word, fields) ?? row?.on ?? 'other';
    natives.keep(native);
    const { session = '', agent, call, cwd = env['PWD'] ?? '', ...scene } = commonIn(fields);
    return {
      name,
      payload: (translations[name]?.read(fields) ?? { word, body: native }) as Event['payload'], // unchanged
      ids: { session, ...textsIn({ agent, call }) },
      scene: { cwd, ...scene },
      raw: native,
      round: 1,
    };
  }
  return { nameKey: 'hook_event_name', write, read, fieldsOf };
}

const commonIn = (fields: Fields) =>
  textsIn({
    session: either(fields, 'session_id', 'sessionId'),
    agent: either(fields, 'agent_id', 'subagentId', 'agentId'),
    call: either(fields, 'tool_use_id', 'tool_call_id'),
    cwd: fields['cwd'],
    model: fields['model'],
    transcript: either(fields, 'transcript_path', 'transcriptPath'),
    mode: either(fields, 'permission_mode', 'permissionMode'),
    agentType: agentTypeIn(fields),
  });

const commonOf = ({ ids, scene }: Event, word: string): Fields => ({
  session_id: ids.session,
  ...given({ transcript_path: scene.transcript }),
  cwd: scene.cwd,
  hook_event_name: word,
  ...given({
    permission_mode: scene.mode,
    model: scene.model,
    agent_id: ids.agent,
    agent_type: scene.agentType,
  }),
});
