/** A plugin's tool in a host's terms. */
import type { Fields } from '../../../../events/effects.ts';
import type { Origin } from '../../../../events/hook.ts';
import type { OfferedTool, ToolCallScene, ToolOutcome } from '../../../../events/offers.ts';
import type { Services } from '../../../../events/services.ts';
import type { AnyToolDefinition, AskInput, ToolContext, ToolResult } from '../types/index.ts';
import { type Ask, askPerson } from './ask.ts';
import type { Issue } from '../../../../modules/schema/index.ts';
import { argumentFields, type Field, parametersOf } from './fields.ts';
import { shortenOutput } from './long-output.ts';

export interface ToolTerms {
  readonly directory: string;
  readonly worktree: string;
  readonly services: Services;
  /** Where outputs that are too long are kept, outside the project. */
  readonly folder: string;
  /** The host's own way to ask for permission; without it the person is asked through `services.ui`. */
  readonly ask?: Ask;
}

/** Throws a TypeError that says what is wrong with the definition. */
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

/** A tool that does not listen to its signal must not hold the agent. */
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
      `The ${name} tool gave back no text: it must return a string, or an object with 'output'`,
    );
  const { output: shown, ...cut } = await shortenOutput(output, folder);
  const all: Fields = { ...metadata, ...cut, ...(attachments !== undefined && { attachments }) };
  return { output: shown, ...(title !== undefined && { title }), metadata: all };
}

/** The input as the plugin's own types read it, defaults filled in. Arguments it does not name stay, as in OpenCode. */
async function checkInput(tool: string, fields: readonly Field[], input: Fields): Promise<Fields> {
  const wrong: string[] = [];
  const read: Record<string, unknown> = { ...input };
  for (const field of fields) {
    if (field.kind === 'json') continue;
    const result = await field.schema.safeParseAsync(input[field.name]);
    if (!result.success) wrong.push(...result.error.issues.map((issue) => said(field.name, issue)));
    else if (result.data !== undefined || field.name in input) read[field.name] = result.data;
  }
  if (wrong.length === 0) return read;
  throw new TypeError(
    `The ${tool} tool was called with invalid arguments: ${wrong.join('; ')}.\n` +
      'Please rewrite the input so it satisfies the expected schema.',
  );
}

const said = (name: string, { path, message }: Issue): string =>
  `${[name, ...path].map(String).join('.')}: ${message}`;
