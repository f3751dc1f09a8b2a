/** The OpenAI Chat Completions API, which many servers share. */

import { contentText } from '../../events/content.ts';
import type { Fields } from '../../events/effects.ts';
import { openingOf } from './client-request.ts';
import { fieldsAt, listAt, looseText } from './loose.ts';
import { inPieces, newId, type Protocol, usageOf } from './protocol.ts';
import type { AnswerTurn } from './turn.ts';

const isModels = ({ role }: Fields): boolean => role === 'assistant';

function usageIn(turn: AnswerTurn) {
  const { input, cached, output } = usageOf(turn);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

export const openaiChat: Protocol = {
  asked(body) {
    const messages = listAt(body, 'messages');
    const answerSchema = fieldsAt(body, 'response_format', 'json_schema', 'schema');
    return {
      model: looseText(body, 'model'),
      turns: messages.filter(isModels).length,
      tools: listAt(body, 'tools').flatMap(({ function: made }) => {
        const schema = fieldsAt(made, 'parameters');
        const name = looseText(made, 'name');
        return made === undefined ? [] : [{ kind: 'function', name, ...(schema && { schema }) }];
      }),
      opening: openingOf(messages, isModels, ({ content }) => contentText(content, '\n')),
      lastText: contentText(messages.findLast(({ role }) => role === 'user')?.['content'], '\n'),
      ...(answerSchema && { answerSchema }),
    };
  },
  whole(turn, model) {
    const calls = callsOf(turn);
    const message = { role: 'assistant', content: textIn(turn), ...(calls && { tool_calls: calls }) };
    const choices = [{ index: 0, finish_reason: reasonOf(turn), message }];
    return { ...base(model), object: 'chat.completion', usage: usageIn(turn), choices };
  },
  events(turn, model) {
    const head = { ...base(model), object: 'chat.completion.chunk' };
    const event = (data: Fields) => `data: ${JSON.stringify({ ...head, ...data })}\n\n`;
    const choice = (delta: Fields, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta, finish_reason }] });
    const [first = null, ...rest] = turn.kind === 'text' ? inPieces(turn.text, turn.pieces) : [];
    return [
      choice({ role: 'assistant', content: first }),
      ...rest.map((content) => choice({ content })),
      ...callDeltas(turn).map((tool_calls) => choice({ tool_calls })),
      choice({}, reasonOf(turn)),
      event({ choices: [], usage: usageIn(turn) }),
      'data: [DONE]\n\n',
    ];
  },
  error: ({ message, type = 'server_error' }) => ({ error: { message, type } }),
};

const textIn = (turn: AnswerTurn): string | null => (turn.kind === 'text' ? turn.text : null);
const reasonOf = ({ kind }: AnswerTurn): string => (kind === 'calls' ? 'tool_calls' : 'stop');
const base = (model: string) => ({
  id: newId('chatcmpl-'),
  created: Math.floor(Date.now() / 1000),
  model,
});

const callsOf = (turn: AnswerTurn) =>
  turn.kind === 'calls'
    ? turn.calls.map(({ name, args }, index) => ({
        index,
        id: newId('call_'),
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }))
    : undefined;

/** Returns all calls at once or, if the script asks for pieces, each call with its arguments in pieces. */
function callDeltas(turn: AnswerTurn): readonly (readonly Fields[])[] {
  const calls = callsOf(turn);
  if (calls === undefined) return [];
  if (turn.pieces === undefined) return [calls];
  return calls.flatMap((call) => {
    const { index, function: made } = call;
    return [
      [{ ...call, function: { ...made, arguments: '' } }],
      ...inPieces(made.arguments, turn.pieces).map((piece) => [{ index, function: { arguments: piece } }]),
    ];
  });
}
