/** Text that MCP puts into messages about tools. */
import { same } from '../events/changes.ts';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import type { Message, RequestMessage, RpcReply } from './message.ts';

/** A server's name as agents write it in the names of its tools. */
export const nameInTools = (name: string): string => name.replaceAll(/[^\w-]/g, '_');

export const refusedCall = (text: string): RpcReply => ({
  result: { content: [{ type: 'text', text }], isError: true },
});

export const withArguments = (message: RequestMessage, params: Fields, input: Fields): RequestMessage =>
  same(params['arguments'] ?? {}, input) ? message : { ...message, params: { ...params, arguments: input } };

export function taskIn({ result }: Message): string | undefined {
  const task = isFields(result) ? result['task'] : undefined;
  return isFields(task) && typeof task['taskId'] === 'string' ? task['taskId'] : undefined;
}
