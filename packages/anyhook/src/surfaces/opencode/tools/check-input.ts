import type { Fields } from '../../../canon/effects.ts';
import type { Field, Issue } from './fields.ts';

/** The input as the plugin's own types read it, defaults filled in. Arguments it does not name stay, as in OpenCode. */
export async function checkInput(tool: string, fields: readonly Field[], input: Fields): Promise<Fields> {
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
