/**
 * All plugin hooks that are functions of `(input, output)`, with the recorded shapes of OpenCode 1.18, one row each.
 */

import { diff, isPlain } from '../../../events/changes.ts';
import { allow, ask, deny, type Effect, type Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { argsChanges, openCodeCallOf, openCodeToolName } from './call.ts';
import { type OpenCodeMessage, ownMessages, shownMessages, type Whereabouts } from './messages.ts';
import { modelOf, providerOf } from './model.ts';
import type { CallWord } from './names.ts';
import { nativeIn, messagesFromOpencode, opencodeMessages } from './native-messages.ts';
import { partIdOf } from './part-id.ts';
import { messageOf, prompt } from './prompt.ts';
import { result } from './result.ts';
import { type Row, sameNames } from './row.ts';
import { messageIn, sessionIn, timeOf } from './whereabouts.ts';

const DENIED = 'denied by an OpenCode plugin';

const sessionOf = (event: Event): Fields => ({ sessionID: sessionIn(event) });
const nothing = (): Fields => ({});

/** The input of hooks around a model request. */
const modelCall = (load: Fields, event: Event): Fields => ({
  sessionID: sessionIn(event),
  agent: event.scene.agentType ?? 'build',
  model: modelOf(load, event),
  provider: providerOf(load, event),
  message: messageOf(load, event),
});
const fromModelCall = ({ model, provider, message }: Fields): Fields => ({
  ...(model !== undefined && { model }),
  ...(provider !== undefined && { provider }),
  ...(message !== undefined && { message }),
});

const before: Row = {
  write(_load, event) {
    const { tool, args } = openCodeCallOf(event);
    return {
      input: { tool, sessionID: sessionIn(event), callID: event.ids.call ?? '' },
      output: { args },
    };
  },
  changes: ({ args }, _shown, event) => argsChanges(args, event) ?? "the resulting 'args' are not an object",
  read: ({ tool }, { args }) => ({ tool: String(tool ?? ''), input: isPlain(args) ? args : {} }),
};

/** OpenCode's own fields of a permission, and `tool` and `args` from its documentation. */
export function permissionOf(load: Fields, event: Event): Fields {
  const { tool, args } = openCodeCallOf(event);
  const about = load['pattern'] ?? args['command'] ?? args['filePath'];
  return {
    id: `per_${event.ids.call ?? event.ids.session}`,
    type: tool,
    ...(about !== undefined && { pattern: about }),
    sessionID: sessionIn(event),
    messageID: messageIn(event),
    ...(event.ids.call !== undefined && { callID: event.ids.call }),
    title: load['title'] ?? (typeof about === 'string' ? about : tool),
    metadata: { ...args, ...(isPlain(load['metadata']) && load['metadata']) },
    time: { created: timeOf(event) },
    tool,
    args,
  };
}
const STATUS: Readonly<Record<string, (reason?: string) => Effect>> = { allow, ask, deny };
const permission: Row = {
  write: (load, event) => ({ input: permissionOf(load, event), output: { status: 'ask' } }),
  changes({ status }) {
    const effect = typeof status === 'string' ? STATUS[status] : undefined;
    if (effect === undefined)
      return `the resulting status is ${JSON.stringify(status)}, none of allow, deny, ask`;
    return [status === 'deny' ? effect(DENIED) : effect()];
  },
  read: ({ tool, type, args, metadata, pattern, title }) => ({
    tool: String(tool ?? type ?? ''),
    input: isPlain(args) ? args : isPlain(metadata) ? metadata : {},
    ...(pattern !== undefined && { pattern }),
    ...(typeof title === 'string' && { title }),
    ...(isPlain(metadata) && { metadata }),
  }),
};

const transform: Row = {
  write: ({ messages }, event) => ({ input: {}, output: { messages: messagesFor(messages, event) } }),
  changes({ messages }, shown, event) {
    if (!Array.isArray(messages)) return "the resulting 'messages' are not a list";
    if (diff('messages', shown['messages'], messages).length === 0) return [];
    const had = (event.payload as { messages?: unknown }).messages;
    const list = Array.isArray(had) ? (had as unknown[]) : [];
    return diff('messages', list, ownMessages(messages as unknown[], list, messagesFor(list, event)));
  },
  read: (_input, { messages }) => ({
    messages: Array.isArray(messages) ? messagesFromOpencode(messages) : [],
  }),
};
function messagesFor(messages: unknown, event: Event): readonly OpenCodeMessage[] {
  const list = Array.isArray(messages) ? (messages as unknown[]) : [];
  const native = nativeIn(event);
  return native ? opencodeMessages(list, native, whereOf(event)) : shownMessages(list, whereOf(event));
}
const whereOf = (event: Event): Whereabouts => ({
  session: sessionIn(event),
  cwd: event.scene.cwd,
  ...(event.scene.model !== undefined && { model: event.scene.model }),
});

/** The only hook that changes its first argument. OpenCode always sets these keys. */
const SETTINGS = { agent: {}, mode: {}, command: {}, plugin: [] };
const config: Row = {
  write: ({ config: settings }) => ({ input: { ...SETTINGS, ...(isPlain(settings) && settings) } }),
  changes: (after, shown) => diff('config', shown, after),
  read: (settings) => ({ config: settings }),
};

export const ROWS: { readonly [W in CallWord]: Row } = {
  'chat.message': prompt,
  'chat.params': sameNames(
    ['temperature', 'topP', 'topK', 'maxOutputTokens', 'options'],
    { options: {} },
    modelCall,
    fromModelCall,
  ),
  'chat.headers': sameNames(['headers'], { headers: {} }, modelCall, fromModelCall),
  'permission.ask': permission,
  'command.execute.before': sameNames(
    ['parts'],
    { parts: [] },
    (load, event) => ({
      command: load['command'] ?? '',
      ...sessionOf(event),
      arguments: load['arguments'] ?? '',
    }),
    ({ command, arguments: rest }) => ({ command: String(command ?? ''), arguments: String(rest ?? '') }),
  ),
  'tool.execute.before': before,
  'tool.execute.after': result,
  'shell.env': sameNames(
    ['env'],
    { env: {} },
    (load, event) => ({
      cwd: load['cwd'] ?? event.scene.cwd,
      ...sessionOf(event),
      ...(event.ids.call !== undefined && { callID: event.ids.call }),
    }),
    ({ cwd }) => ({ cwd: String(cwd ?? '') }),
  ),
  'tool.definition': sameNames(
    ['description', 'parameters'],
    { description: '', parameters: {} },
    ({ tool }) => ({ toolID: openCodeToolName(String(tool ?? '')) }),
    ({ toolID }) => ({ tool: String(toolID ?? '') }),
  ),
  'experimental.chat.messages.transform': transform,
  'experimental.chat.system.transform': sameNames(
    ['system'],
    { system: [] },
    (load, event) => ({ ...sessionOf(event), model: modelCall(load, event)['model'] }),
    ({ model }) => (model === undefined ? {} : { model }),
  ),
  'experimental.session.compacting': sameNames(
    ['context', 'prompt'],
    { context: [] },
    (_load, event) => sessionOf(event),
    nothing,
  ),
  'experimental.compaction.autocontinue': sameNames(
    ['enabled'],
    { enabled: true },
    (load, event) => ({ ...modelCall(load, event), overflow: load['overflow'] === true }),
    ({ overflow }) => ({ overflow: overflow === true }),
  ),
  'experimental.text.complete': sameNames(
    ['text'],
    { text: '' },
    (load, event) => ({
      ...sessionOf(event),
      messageID: load['message'] ?? messageIn(event),
      partID: partIdOf(load, event),
    }),
    ({ messageID, partID }) => ({
      ...(typeof messageID === 'string' && { message: messageID }),
      ...(typeof partID === 'string' && { part: partID }),
    }),
  ),
  'experimental.provider.small_model': sameNames(
    ['model'],
    {},
    ({ provider }) => ({ provider: provider ?? {} }),
    ({ provider }) => (provider === undefined ? {} : { provider }),
  ),
  config,
  dispose: { write: () => ({ input: {} }), changes: () => [], read: nothing },
};
