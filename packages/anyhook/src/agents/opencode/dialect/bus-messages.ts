/** Messages and their parts, as bus events. */

import { isPlain } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { openCodeCallOf } from './call.ts';
import { partId, partIdOf } from './part-id.ts';
import { metadataOf } from './result.ts';
import { messageIn, sessionIn, spanOf, timeOf } from './whereabouts.ts';

const numberIn = (fields: Fields, key: string): number => (typeof fields[key] === 'number' ? fields[key] : 0);

/** The accepted prompt, or the answer of a finished turn. `key` identifies the message. */
export function busMessage(load: Fields, event: Event, key: string): Fields {
  const { scene } = event;
  const shared = { id: messageIn(event) || `msg_${key}`, sessionID: sessionIn(event) };
  const agent = scene.agentType ?? 'build';
  if (event.name === 'agent.before')
    return {
      ...shared,
      role: 'user',
      time: { created: timeOf(event) },
      agent,
      model: { providerID: '', modelID: scene.model ?? '' },
    };
  const native: Fields = isPlain(load['message']) ? load['message'] : {};
  const usage: Fields = isPlain(native['usage']) ? native['usage'] : {};
  const at = numberIn(native, 'timestamp');
  return {
    ...shared,
    role: 'assistant',
    time: { created: at, completed: at },
    parentID: '',
    modelID: native['model'] ?? scene.model ?? '',
    providerID: native['provider'] ?? '',
    mode: agent,
    agent,
    path: { cwd: scene.cwd, root: scene.cwd },
    cost: 0,
    tokens: {
      input: numberIn(usage, 'input'),
      output: numberIn(usage, 'output'),
      reasoning: 0,
      cache: { read: numberIn(usage, 'cacheRead'), write: numberIn(usage, 'cacheWrite') },
    },
    ...(typeof native['stopReason'] === 'string' && { finish: native['stopReason'] }),
  };
}

/** A text of the user or the model, or a finished tool call. `key` is that of its message. */
export function busPart(load: Fields, event: Event, key: string): Fields {
  const { name, ids } = event;
  const sessionID = sessionIn(event);
  const messageID = messageIn(event);
  if (name === 'agent.before') {
    const prompt = messageID || `msg_${key}`;
    return { id: partId(prompt, 0), sessionID, messageID: prompt, type: 'text', text: load['prompt'] ?? '' };
  }
  if (name === 'model.text')
    return {
      id: partIdOf(load, event) || `prt_${key}`,
      sessionID,
      messageID: load['message'] ?? messageID,
      type: 'text',
      text: load['text'] ?? '',
      time: { start: timeOf(event), end: timeOf(event) },
    };
  const callID = ids.call ?? '';
  const { tool, args } = openCodeCallOf(event);
  return {
    id: `prt_${callID}`,
    sessionID,
    messageID,
    type: 'tool',
    callID,
    tool,
    state: stateOf(load, event, args),
  };
}

function stateOf(load: Fields, event: Event, input: Fields): Fields {
  const { name } = event;
  const time = spanOf(event);
  const text = contentText(load['content'], '\n');
  return name === 'tool.failed' || load['isError'] === true
    ? { status: 'error', input, error: load['error'] ?? text, time }
    : {
        status: 'completed',
        input,
        output: text,
        title: load['title'] ?? '',
        metadata: metadataOf(load),
        time,
      };
}
