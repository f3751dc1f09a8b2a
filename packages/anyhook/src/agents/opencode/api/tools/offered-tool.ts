/** Converts a plugin's tool to the host's format. */

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cutText } from '../../../../events/cut.ts';
import type { Fields } from '../../../../events/effects.ts';
import type { Origin } from '../../../../events/hook.ts';
import type { OfferedTool, ToolCallScene, ToolOutcome } from '../../../../events/offers.ts';
import { type Services, ServiceMissing } from '../../../../events/services.ts';
import { ANY_TEXT, fitsWildcard, isLetter } from '../../../../events/wildcard.ts';
import {
  type Issue,
  type AnySchema,
  jsonSchemaOf,
  mayBeMissing,
  schemaIn,
} from '../../../../modules/schema/index.ts';
import type { AnyToolDefinition, AskInput, ToolContext, ToolResult } from '../types/index.ts';

/** Handles `context.ask` of a plugin's tool: permission hooks run first, as for any tool, then the user is asked. */
type Ask = (
  request: AskInput,
  scene: { readonly session: string; readonly call?: string; readonly signal: AbortSignal },
) => Promise<void>;

const ONCE = 'Allow once';
const ALWAYS = 'Always allow in this session';
const REJECT = 'Reject';

/** Rejects if the answer is no or missing, or if nobody can be asked. */
function askPerson({ ui, permit }: Services): Ask {
  const always = new Map<string, ReturnType<typeof wildcard>[]>();
  return async (request, scene) => {
    const { session, call, signal } = scene;
    const { permission, patterns = [], metadata = {} } = request;
    const key = `${session}\n${permission}`;
    const known = always.get(key) ?? [];
    if (patterns.length > 0 && patterns.every((pattern) => known.some((fits) => fits(pattern)))) return;
    const named = { permission, patterns, metadata, session, ...(call !== undefined && { call }) };
    const judged = await permit?.(named, signal);
    if (judged?.proceed === 'no') throw new Error(judged.reason ?? `a hook refused ${permission}`);
    if (judged?.proceed === 'yes') return;
    if (ui === undefined) throw new ServiceMissing('ui', `the permission '${permission}'`);
    const what = patterns.length === 0 ? permission : `${permission}: ${patterns.join(', ')}`;
    const answer = await ui.select(`Allow ${what}?`, [ONCE, ALWAYS, REJECT], signal);
    if (answer === ALWAYS) always.set(key, [...known, ...(request.always ?? []).map(wildcard)]);
    if (answer !== ONCE && answer !== ALWAYS) throw new Error(`The user rejected ${what}`);
  };
}

/** `*` matches any text, `?` one character. */
function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern
    .split('')
    .map((one) => (one === '*' ? ANY_TEXT : one === '?' ? () => true : isLetter(one)));
  return (text) => fitsWildcard(parts, text);
}

/** Tool output beyond these limits is truncated for the model, and the complete output is stored in a file. */
const MOST_LINES = 2000;
const MOST_BYTES = 50 * 1024;

type ShortenedOutput =
  | { readonly output: string; readonly truncated: false }
  | { readonly output: string; readonly truncated: true; readonly outputPath?: string };

async function shortenOutput(text: string, folder: string): Promise<ShortenedOutput> {
  const lines = text.split('\n');
  const bytes = Buffer.byteLength(text);
  if (lines.length <= MOST_LINES && bytes <= MOST_BYTES) return { output: text, truncated: false };
  const head = cutText(lines.slice(0, MOST_LINES).join('\n'), MOST_BYTES);
  const left = `${bytes - Buffer.byteLength(head)} of ${bytes} bytes (${lines.length} lines in all) left out`;
  const kept = await keep(text, folder);
  const where =
    'file' in kept ? `the whole output is in ${kept.file}: search it or read parts of it` : kept.why;
  return {
    output: `${head}\n\n… ${left}; ${where}`,
    truncated: true,
    ...('file' in kept && { outputPath: kept.file }),
  };
}

/** Named by its content, so that equal outputs share a file. Only the owner can read it. */
async function keep(text: string, folder: string): Promise<{ file: string } | { why: string }> {
  const file = join(folder, `tool-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.txt`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    return { file };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' ? { file } : { why: `it could not be saved: ${message}` };
  }
}

/** Tool arguments by field: a plugin may bundle its own zod, 3 or 4, or use plain JSON Schema. */
type Field = AnySchema & { readonly name: string };

function argumentFields(args: unknown): Field[] {
  if (args === undefined || args === null) return [];
  if (typeof args !== 'object' || Array.isArray(args))
    throw new TypeError(`args must be an object with one zod field for each argument, not ${kindOf(args)}`);
  return Object.entries(shapeOf(args)).map(([name, schema]) => fieldOf(name, schema));
}

/** Accepts the fields, or a `z.object(…)` with them. */
function shapeOf(args: object): object {
  const isSchema = 'safeParseAsync' in args && 'shape' in args;
  return isSchema ? (args.shape as object) : args;
}

function fieldOf(name: string, schema: unknown): Field {
  if (typeof schema !== 'object' || schema === null)
    throw new TypeError(`args.${name} must be a zod type, not ${kindOf(schema)}`);
  return { name, ...schemaIn(schema) };
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : `${value} (${typeof value})`);

/** JSON Schema of a tool's arguments, for the model. */
function parametersOf(fields: readonly Field[]): Fields {
  const required = fields.filter((field) => !mayBeMissing(field)).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, jsonSchemaOf(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export interface ToolTerms {
  readonly directory: string;
  readonly worktree: string;
  readonly services: Services;
  /** Folder for long outputs, outside the project. */
  readonly folder: string;
  /** The host's own permission dialog; default: `services.ui`. */
  readonly ask?: Ask;
}

/** Throws a TypeError that describes an invalid definition. */
export function offeredTool(
  name: string,
  definition: AnyToolDefinition,
  origin: Origin,
  terms: ToolTerms,
): OfferedTool {
  if (typeof definition !== 'object' || definition === null || typeof definition.execute !== 'function')
    throw new TypeError(`the tool '${name}' has no function 'execute'`);
  const fields = argumentFields(definition.args);
  const ask = terms.ask ?? askPerson(terms.services);
  return {
    name,
    description: String(definition.description ?? ''),
    parameters: parametersOf(fields),
    origin,
    async execute(input, scene) {
      const args = await checkInput(name, fields, input);
      scene.signal.throwIfAborted();
      const context = contextOf(scene, terms, ask);
      const result = await untilAborted(definition.execute(args, context), scene.signal);
      return outcomeOf(name, result, terms.folder);
    },
  };
}

function contextOf(scene: ToolCallScene, { directory, worktree }: ToolTerms, ask: Ask): ToolContext {
  const { session, message = '', agent = 'build', call, signal } = scene;
  const context = {
    sessionID: session,
    messageID: message,
    agent,
    directory,
    worktree,
    abort: signal,
    metadata: (update: Parameters<ToolContext['metadata']>[0]) => scene.progress?.(update),
    ask: (request: AskInput) => ask(request, { session, signal, ...(call !== undefined && { call }) }),
  };
  return call === undefined ? context : Object.assign(context, { callID: call });
}

/** A tool that ignores its signal must not block the agent. */
async function untilAborted<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function outcomeOf(name: string, result: ToolResult, folder: string): Promise<ToolOutcome> {
  const { output, title, metadata, attachments } =
    typeof result === 'string' ? { output: result } : (result ?? {});
  if (typeof output !== 'string')
    throw new TypeError(
      `The ${name} tool returned no text: it must return a string, or an object with 'output'`,
    );
  const { output: shown, ...cut } = await shortenOutput(output, folder);
  const all: Fields = { ...metadata, ...cut, ...(attachments !== undefined && { attachments }) };
  return { output: shown, ...(title !== undefined && { title }), metadata: all };
}

/** Parses the input with the plugin's own types and defaults. Unknown arguments are kept, as in OpenCode. */
async function checkInput(tool: string, fields: readonly Field[], input: Fields): Promise<Fields> {
  const wrong: string[] = [];
  const read: Record<string, unknown> = { ...input };
  for (const field of fields) {
    if (field.kind === 'json') continue;
    const result = await field.schema.safeParseAsync(input[field.name]);
    if (!result.success) wrong.push(...result.error.issues.map((issue) => issueText(field.name, issue)));
    else if (result.data !== undefined || field.name in input) read[field.name] = result.data;
  }
  if (wrong.length === 0) return read;
  throw new TypeError(
    `The ${tool} tool was called with invalid arguments: ${wrong.join('; ')}.\n` +
      'Please rewrite the input so it satisfies the expected schema.',
  );
}

const issueText = (name: string, { path, message }: Issue): string =>
  `${[name, ...path].map(String).join('.')}: ${message}`;
