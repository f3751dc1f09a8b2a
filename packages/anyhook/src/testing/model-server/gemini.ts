/** Gemini's generateContent and streamGenerateContent. */

import { contentText } from '../../events/content.ts';
import type { Fields } from '../../events/effects.ts';
import { openingOf } from './client-request.ts';
import { fieldsAt, listAt, looseText } from './loose.ts';
import { inPieces, newId, type Protocol, usageOf } from './protocol.ts';
import type { AnswerTurn } from './turn.ts';

const isModels = ({ role }: Fields): boolean => role === 'model';
const END = { finishReason: 'STOP' };

export const gemini: Protocol = {
  asked(body) {
    const contents = listAt(body, 'contents');
    const config = fieldsAt(body, 'generationConfig');
    const answerSchema = fieldsAt(config, 'responseJsonSchema') ?? fieldsAt(config, 'responseSchema');
    return {
      model: '', // in the URL, not in the body
      turns: contents.filter(isModels).length,
      tools: listAt(body, 'tools')
        .flatMap((tool) => listAt(tool, 'functionDeclarations'))
        .map((made) => {
          const schema = fieldsAt(made, 'parametersJsonSchema') ?? fieldsAt(made, 'parameters');
          return { kind: 'function', name: looseText(made, 'name'), ...(schema && { schema }) };
        }),
      opening: openingOf(contents, isModels, ({ parts }) => contentText(parts, '\n')),
      lastText: contentText(contents.at(-1)?.['parts'], '\n'),
      ...(answerSchema && { answerSchema }),
    };
  },
  whole: (turn, model) => bodyOf(partsOf(turn), { model, id: newId('r'), usage: usageIn(turn), ...END }),
  events(turn, model) {
    const id = newId('r');
    const chunks =
      turn.kind === 'text' ? inPieces(turn.text, turn.pieces).map((text) => [{ text }]) : [partsOf(turn)];
    return chunks.map((parts, index) => {
      const end = index === chunks.length - 1 ? END : {};
      return `data: ${JSON.stringify(bodyOf(parts, { model, id, usage: usageIn(turn), ...end }))}\r\n\r\n`;
    });
  },
  error: ({ status, message, type = 'INTERNAL' }) => ({ error: { code: status, message, status: type } }),
};

const partsOf = (turn: AnswerTurn): readonly Fields[] =>
  turn.kind === 'calls'
    ? turn.calls.map(({ name, args }) => ({ functionCall: { id: newId('fc_'), name, args } }))
    : [{ text: turn.text }];

function usageIn(turn: AnswerTurn): Fields {
  const { input, cached, output } = usageOf(turn);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
}

interface Head {
  readonly model: string;
  readonly id: string;
  readonly finishReason?: string;
  readonly usage: Fields;
}
const bodyOf = (parts: readonly Fields[], { model, id, finishReason, usage }: Head) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata: usage,
  modelVersion: model,
  responseId: id,
});
