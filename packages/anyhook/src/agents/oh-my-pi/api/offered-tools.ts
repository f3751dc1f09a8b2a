/** Converts the tools of an extension to the host's format. */

import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';
import type { Origin } from '../../../events/hook.ts';
import type { OfferedTool, ToolCallScene, ToolOutcome } from '../../../events/offers.ts';
import { type AnySchema, jsonSchemaOf, schemaIn } from '../../../modules/schema/index.ts';
import { hookContext, type RunnerScene } from './hook-context.ts';
import type { LoadedHook, RegisteredTool, ToolUpdate } from './types/index.ts';

export const toolsOfHook = (hook: LoadedHook, origin: Origin, scene: RunnerScene): OfferedTool[] =>
  [...hook.tools.values()].map((tool) => {
    const schema = schemaIn(tool.parameters ?? { type: 'object', properties: {} });
    return {
      name: tool.name,
      description: tool.description ?? tool.label ?? tool.name,
      parameters: plain(jsonSchemaOf(schema)),
      origin,
      execute: async (input, call) => await run(tool, await checked(tool.name, schema, input), call, scene),
    };
  });

/** Removes typebox's internal marks from a schema, because only plain data is transferred. */
const plain = (schema: Fields): Fields => JSON.parse(JSON.stringify(schema)) as Fields;

async function run(
  tool: RegisteredTool,
  input: Fields,
  { call = '', signal, progress }: ToolCallScene,
  scene: RunnerScene,
): Promise<ToolOutcome> {
  signal.throwIfAborted();
  const tell = (update: ToolUpdate) => progress?.({ metadata: { text: textIn(update) } });
  const answer = await tool.execute(call, input as never, signal, tell, hookContext(scene));
  if (answer?.isError === true) throw new Error(textIn(answer));
  const { details } = answer ?? {};
  return { output: textIn(answer), ...(isFields(details) && { metadata: details }) };
}

const textIn = ({ content = [] }: ToolUpdate = {}): string =>
  content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('\n');

/** Rejects with the validation errors, as a text for the model. */
async function checked(name: string, schema: AnySchema, input: Fields): Promise<Fields> {
  const { value, wrong } = await read(schema, input);
  if (wrong.length === 0) return value;
  throw new TypeError(`The ${name} tool was called with invalid arguments: ${wrong.join('; ')}.`);
}

async function read(schema: AnySchema, input: Fields): Promise<{ value: Fields; wrong: readonly string[] }> {
  if (schema.kind !== 'json') {
    const result = await schema.schema.safeParseAsync(input);
    if (result.success) return { value: result.data as Fields, wrong: [] };
    return {
      value: input,
      wrong: result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  }
  const { Convert, Default, Errors } = (await import('./host-packages/packed-typebox.mjs')).value;
  const value = Default(schema.schema, Convert(schema.schema, structuredClone(input))) as Fields;
  const wrong = Errors(schema.schema, value).map(
    ({ instancePath, message }) => `${instancePath.slice(1).replaceAll('/', '.') || 'input'}: ${message}`,
  );
  return { value, wrong };
}
