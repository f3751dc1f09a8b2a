/** The Anthropic Messages API. */

import { contentText } from '../../events/content.ts';
import type { Fields } from '../../events/effects.ts';
import { openingOf } from './client-request.ts';
import { fieldsAt, listAt, looseText } from './loose.ts';
import { inPieces, newId, type Protocol, sseEvent, usageOf } from './protocol.ts';
import type { AnswerTurn } from './turn.ts';

const isModels = ({ role }: Fields): boolean => role === 'assistant';
/** Here, `input_tokens` excludes the cached ones. */
function usageIn(turn: AnswerTurn) {
  const { input, cached, output } = usageOf(turn);
  return {
    input_tokens: input - cached,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  };
}

export const anthropic: Protocol = {
  asked(body) {
    const messages = listAt(body, 'messages');
    const answerSchema =
      fieldsAt(body, 'output_config', 'format', 'schema') ?? fieldsAt(body, 'output_format', 'schema');
    return {
      model: looseText(body, 'model'),
      turns: messages.filter(isModels).length,
      tools: listAt(body, 'tools').flatMap((tool) => {
        const schema = fieldsAt(tool, 'input_schema');
        return schema === undefined ? [] : [{ kind: 'function', name: looseText(tool, 'name'), schema }];
      }),
      opening: openingOf(messages, isModels, ({ content }) => contentText(content, '\n')),
      lastText: contentText(messages.findLast(({ role }) => role === 'user')?.['content'], '\n'),
      ...(answerSchema && { answerSchema }),
    };
  },
  whole: messageOf,
  events(turn, model) {
    const message = messageOf(turn, model);
    const { content, stop_reason } = message;
    return [
      sseEvent('message_start', { message: { ...message, content: [], stop_reason: null } }),
      ...content.flatMap((block, index) => blockEvents(block, index, turn.pieces)),
      sseEvent('message_delta', {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usageOf(turn).output },
      }),
      sseEvent('message_stop', {}),
    ];
  },
  error: ({ type = 'api_error', message }) => ({ type: 'error', error: { type, message } }),
};

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Fields };

function messageOf(turn: AnswerTurn, model: string) {
  const content: readonly Block[] =
    turn.kind === 'calls'
      ? turn.calls.map(({ name, args }) => ({ type: 'tool_use', id: newId('toolu_'), name, input: args }))
      : [{ type: 'text', text: turn.text }];
  return {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: turn.kind === 'calls' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: usageIn(turn),
  };
}

function blockEvents(block: Block, index: number, pieces?: number): readonly string[] {
  const content_block = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
  const deltas =
    block.type === 'text'
      ? inPieces(block.text, pieces).map((text) => ({ type: 'text_delta', text }))
      : inPieces(JSON.stringify(block.input), pieces).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        }));
  return [
    sseEvent('content_block_start', { index, content_block }),
    ...deltas.map((delta) => sseEvent('content_block_delta', { index, delta })),
    sseEvent('content_block_stop', { index }),
  ];
}
