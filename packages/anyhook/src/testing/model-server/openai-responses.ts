/** The OpenAI Responses API, including Codex's special kinds of tools. */

import { contentText } from '../../events/content.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { type ClientTool, openingOf } from './client-request.ts';
import type { FoundCall } from './find-call.ts';
import { fieldsAt, listAt, looseText } from './loose.ts';
import { inPieces, newId, type Protocol, usageOf } from './protocol.ts';
import type { AnswerTurn } from './turn.ts';

function usageIn(turn: AnswerTurn) {
  const { input, cached, output } = usageOf(turn);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

export const openaiResponses: Protocol = {
  asked(body) {
    const given = body['input'];
    const input = Array.isArray(given)
      ? given.filter(isFields)
      : [{ role: 'user', content: String(given ?? '') }];
    const answerSchema = fieldsAt(body, 'text', 'format', 'schema');
    return {
      model: looseText(body, 'model'),
      turns: turnsIn(input),
      // Codex sends some of its tools as an item of the conversation.
      tools: toolsIn([
        ...listAt(body, 'tools'),
        ...input.filter(({ type }) => type === 'additional_tools').flatMap((item) => listAt(item, 'tools')),
      ]),
      opening: openingOf(
        input,
        ({ role, type }) => role === 'assistant' || String(type).endsWith('_call'),
        ({ content }) => contentText(content, '\n'),
      ),
      lastText: contentText(input.findLast(({ role }) => role === 'user')?.['content'], '\n'),
      ...(answerSchema && { answerSchema }),
    };
  },
  whole: responseOf,
  events(turn, model) {
    const response = responseOf(turn, model);
    let sequence_number = 0;
    const event = (type: string, data: Fields) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...data })}\n\n`;
    const started = { ...response, status: 'in_progress', output: [], usage: null };
    return [
      event('response.created', { response: started }),
      ...response.output.flatMap((item, output_index) => itemEvents(item, output_index, event, turn.pieces)),
      event('response.completed', { response }),
    ];
  },
  error: ({ message, type = 'server_error' }) => ({ error: { message, type } }),
};

/** Consecutive model items form one turn; reasoning items between them are ignored. */
function turnsIn(input: readonly Fields[]): number {
  const isModels = ({ type, role }: Fields) =>
    /^(function_call|custom_tool_call|local_shell_call)$/.test(String(type)) || role === 'assistant';
  return input
    .filter(({ type }) => type !== 'reasoning')
    .filter((item, index, all) => isModels(item) && !(index > 0 && isModels(all[index - 1]!))).length;
}

function toolsIn(list: readonly Fields[], namespace?: string): readonly ClientTool[] {
  return list.flatMap((tool): readonly ClientTool[] => {
    const name = looseText(tool, 'name');
    const group = namespace === undefined ? {} : { namespace };
    const schema = fieldsAt(tool, 'parameters');
    switch (tool['type']) {
      case 'namespace':
        return toolsIn(listAt(tool, 'tools'), name);
      case 'local_shell':
        return [{ kind: 'local-shell', name: 'local_shell' }];
      case 'custom':
        return [{ kind: 'custom', name, ...group }];
      case 'function':
        return [{ kind: 'function', name, ...group, ...(schema && { schema }) }];
      default:
        return [];
    }
  });
}

interface Item {
  readonly id: string;
  readonly type: string;
  readonly arguments?: string;
  readonly action?: Fields;
  readonly input?: string | undefined;
}

function responseOf(turn: AnswerTurn, model: string) {
  const output = turn.kind === 'calls' ? turn.calls.map(callItem) : [messageItem(turn.text)];
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model,
    status: 'completed',
    output,
    usage: usageIn(turn),
  };
}

const messageItem = (text: string) => ({
  type: 'message',
  id: newId('msg_'),
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

function callItem({ kind, name, namespace, args, input }: FoundCall): Item {
  const call = { call_id: newId('call_'), status: 'completed' };
  const named = { name, ...(namespace !== undefined && { namespace }) };
  switch (kind) {
    case 'local-shell': {
      const action = { type: 'exec', command: args['command'], env: {} };
      return { type: 'local_shell_call', id: newId('lsh_'), ...call, action };
    }
    case 'custom':
      return { type: 'custom_tool_call', id: newId('ctc_'), ...call, ...named, input };
    case 'function':
      return {
        type: 'function_call',
        id: newId('fc_'),
        ...call,
        ...named,
        arguments: JSON.stringify(args),
      };
  }
}

type Write = (type: string, data: Fields) => string;

function itemEvents(
  item: Item | ReturnType<typeof messageItem>,
  output_index: number,
  event: Write,
  pieces?: number,
): readonly string[] {
  const here = { item_id: item.id, output_index };
  if ('content' in item) return messageEvents(item, here, event, pieces);
  const { arguments: given } = item;
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', ...(given && { arguments: '' }) },
    }),
    ...(given === undefined
      ? []
      : [
          ...inPieces(given, pieces).map((delta) =>
            event('response.function_call_arguments.delta', { ...here, delta }),
          ),
          event('response.function_call_arguments.done', { ...here, arguments: given }),
        ]),
    event('response.output_item.done', { output_index, item }),
  ];
}

function messageEvents(
  item: ReturnType<typeof messageItem>,
  { item_id, output_index }: { readonly item_id: string; readonly output_index: number },
  event: Write,
  pieces?: number,
): readonly string[] {
  const here = { item_id, output_index, content_index: 0 };
  const part = item.content[0]!;
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    event('response.content_part.added', { ...here, part: { ...part, text: '' } }),
    ...inPieces(part.text, pieces).map((delta) => event('response.output_text.delta', { ...here, delta })),
    event('response.output_text.done', { ...here, text: part.text }),
    event('response.content_part.done', { ...here, part }),
    event('response.output_item.done', { output_index, item }),
  ];
}
