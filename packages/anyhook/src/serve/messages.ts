/** The messages of `anyhook serve`: JSON-RPC 2.0, one message per line. docs/serve.md describes them. */

import { z } from 'zod';
import { nearest } from '../events/problems.ts';

export const SERVE_PROTOCOL = 1;
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const text = z.string();
const folder = text.min(1);
const session = text.describe('The id from the answer to `open`.');
/** Checked by `createHooks`, whose errors name the key and what is expected. */
const checkedLater = (description: string) => z.record(text, z.unknown()).describe(description);

export const METHODS = {
  open: z
    .strictObject({
      protocol: z.number().int().describe('The version of this protocol: 1.'),
      host: z
        .strictObject({
          name: text.min(1).describe('Your program.'),
          version: text.optional(),
          can: checkedLater('What you apply: per event, the effects. Events that are missing never fire.'),
          tools: checkedLater('Your tools under names that no agent has.').optional(),
        })
        .describe('Who fires events.'),
      cwd: folder.optional().describe('The project folder. Default: the working folder of the server.'),
      home: folder.optional().describe('The home folder with settings, trust and journal.'),
      env: z
        .record(text, text)
        .optional()
        .describe('The environment of hooks. Default: the environment of the server.'),
      settings: z
        .strictObject({
          layers: z.array(text).optional(),
          dialects: z.array(text).optional(),
          without: z.array(text).optional(),
        })
        .optional()
        .describe('Which settings files are read, as in the library.'),
      journal: z.strictObject({ required: z.boolean() }).optional(),
      limits: z.strictObject({ budgetMs: z.number() }).optional(),
      approvals: z
        .boolean()
        .optional()
        .describe('Let the user answer questions from anywhere. Default: questions are the outcome `ask`.'),
      watch: z
        .boolean()
        .optional()
        .describe('Send `changed` when the hooks change. Default: yes, except over HTTP.'),
    })
    .describe('Opens the hooks of one project. The other requests name the session that it returns.'),
  fire: z
    .strictObject({
      session,
      event: text.describe('Such as `tool.before`.'),
      payload: z.record(text, z.unknown()).describe('The fields of the event.'),
      ids: z
        .strictObject({
          session: text.optional(),
          agent: text.optional(),
          call: text.optional(),
          message: text.optional(),
        })
        .optional()
        .describe('The session of your agent, the subagent, the tool call and the message.'),
      scene: z
        .strictObject({
          cwd: text.optional(),
          model: text.optional(),
          transcript: text.optional(),
          mode: text.optional(),
          agentType: text.optional(),
        })
        .optional()
        .describe('Where the event happened.'),
      budgetMs: z.number().positive().optional().describe('Time for all hooks of this event together.'),
    })
    .describe('Runs the hooks of one event and returns the outcome.'),
  approvals: z.strictObject({ session }).describe('Lists the open questions of the session to its user.'),
  reload: z.strictObject({ session }).describe('Reads all settings again. Only at the request of the user.'),
  close: z.strictObject({ session }).describe('Closes the session.'),
  cancel: z
    .strictObject({ id: z.union([text, z.number()]).describe('The id of the request.') })
    .describe('Notification: stops a request. Its answer still arrives, aborted.'),
} as const;

export type Method = keyof typeof METHODS;
export type Params<M extends Method> = z.output<(typeof METHODS)[M]>;
export type RequestId = string | number;

/** JSON-RPC error codes and the names that `error.data.code` has. */
export const SERVE_ERRORS = {
  'not-json': [-32700, 'The line is not JSON in UTF-8.'],
  'not-a-request': [-32600, 'The message is not a JSON-RPC 2.0 request.'],
  'unknown-method': [-32601, 'No method has this name.'],
  'wrong-params': [-32602, 'A parameter is missing, unknown or has the wrong type.'],
  internal: [-32603, 'An error in anyhook. Report it.'],
  'unknown-session': [-32001, 'The session was never opened, or is closed.'],
  'too-large': [-32002, 'The message is larger than 64 MiB.'],
  'unsupported-protocol': [-32003, 'This version of anyhook does not speak the protocol version of `open`.'],
  'too-many': [-32004, 'More than 1,000 sessions are open.'],
  'not-opened': [-32005, 'The hooks could not be opened.'],
} as const satisfies Record<string, readonly [number, string]>;
export type ServeErrorCode = keyof typeof SERVE_ERRORS;

export class ServeError extends Error {
  readonly code: ServeErrorCode;
  constructor(code: ServeErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ServeRequest {
  /** Missing for a notification. */
  readonly id?: RequestId;
  readonly method: Method;
  readonly params: unknown;
}
export type Response = { readonly jsonrpc: '2.0'; readonly id: RequestId | null } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data: object } }
);
export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: 'changed';
  readonly params: object;
}

export function failureResponse(id: RequestId | null, error: unknown): Response {
  const known = error instanceof ServeError ? error : new ServeError('internal', errorText(error));
  return {
    jsonrpc: '2.0',
    id,
    error: { code: SERVE_ERRORS[known.code][0], message: known.message, data: { code: known.code } },
  };
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The id of an invalid request, so that its sender can match the error. */
export function idOf(message: unknown): RequestId | null {
  const { id } = (typeof message === 'object' && message !== null ? message : {}) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

const ENVELOPE = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

/** Throws a `ServeError`. */
export function readRequest(message: unknown): ServeRequest {
  const read = ENVELOPE.safeParse(message);
  if (!read.success)
    throw new ServeError(
      'not-a-request',
      `This is not a JSON-RPC 2.0 request: ${firstFault(read.error, ENVELOPE)}. Send { "jsonrpc": "2.0", "id", "method", "params" }.`,
    );
  const { id, method, params } = read.data;
  if (!Object.hasOwn(METHODS, method))
    throw new ServeError(
      'unknown-method',
      `Unknown method ${JSON.stringify(method)}. Known are ${Object.keys(METHODS).join(', ')}.`,
    );
  return { ...(id !== undefined && { id }), method: method as Method, params };
}

/** Throws a `ServeError` that names the parameter. */
export function readParams<M extends Method>(method: M, params: unknown): Params<M> {
  const read = METHODS[method].safeParse(params ?? {});
  if (!read.success)
    throw new ServeError('wrong-params', `${method}: ${firstFault(read.error, METHODS[method])}.`);
  return read.data as Params<M>; // the schema of this method
}

/** A misspelt key is named before the key that is missing because of it. */
function firstFault(error: z.ZodError, { shape }: z.ZodObject): string {
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys');
  const issue = unknown ?? error.issues[0]!; // an error has at least one
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const near = at === '' ? nearest(key, Object.keys(shape)) : undefined;
    const remedy = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
    return `unknown key ${JSON.stringify(key)}${at === '' ? '' : ` in ${at}`}${remedy}`;
  }
  const [, expected = '', received = ''] = /expected (\w+), received (\w+)/.exec(issue.message) ?? [];
  if (received === 'undefined') return `${at} is missing`;
  const type = expected === 'record' ? 'an object' : expected;
  return `${at === '' ? 'params' : at}: ${type === '' ? issue.message : `must be ${type}, is ${received}`}`;
}
