/** Maps request paths to protocols. */

import type { Fields } from '../../events/effects.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Protocol } from './protocol.ts';

export const PROTOCOLS = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
} as const satisfies Record<string, Protocol>;
export type ProtocolName = keyof typeof PROTOCOLS;

export type ServerRoute =
  | {
      readonly kind: ProtocolName;
      readonly delivery: 'whole' | 'streamed' | 'as-asked';
      /** Set if the URL contains it. */
      readonly model?: string;
    }
  | {
      readonly kind: 'count' | 'compact' | 'models' | 'npm' | 'unknown';
      readonly status: number;
      readonly answer: Fields;
    };

export function routeOf(method: string, path: string): ServerRoute {
  if (method === 'POST') {
    if (path.endsWith('/count_tokens')) return { kind: 'count', status: 200, answer: { input_tokens: 10 } };
    if (path.endsWith('/messages')) return { kind: 'anthropic', delivery: 'as-asked' };
    if (path.endsWith('/chat/completions')) return { kind: 'openai-chat', delivery: 'as-asked' };
    if (path.endsWith('/responses/compact')) return COMPACTED;
    if (path.endsWith('/responses')) return { kind: 'openai-responses', delivery: 'as-asked' };
  }
  const [, model = '', verb = ''] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
  if (verb === 'countTokens') return { kind: 'count', status: 200, answer: { totalTokens: 10 } };
  if (/generateContent$/i.test(verb))
    return { kind: 'gemini', delivery: verb.startsWith('stream') ? 'streamed' : 'whole', model };
  if (method === 'GET' && path.endsWith('/models')) return MODELS;
  // A client that uses this server as its package registry immediately gets a 404.
  if (path.startsWith('/npm/')) return { kind: 'npm', status: 404, answer: { error: 'not here' } };
  if (method === 'GET' || method === 'HEAD') return { kind: 'unknown', status: 200, answer: {} };
  return { kind: 'unknown', status: 404, answer: { error: { message: 'not here' } } };
}

const COMPACTED: ServerRoute = {
  kind: 'compact',
  status: 200,
  answer: {
    output: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fake summary' }] }],
  },
};
const MODELS: ServerRoute = {
  kind: 'models',
  status: 200,
  answer: {
    object: 'list',
    data: [{ id: 'fake-model', object: 'model', created: 0, owned_by: 'fake' }],
    models: [],
  },
};
