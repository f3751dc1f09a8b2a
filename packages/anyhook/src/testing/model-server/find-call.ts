/** Translates a scripted call to the tools of the client. */

import type { Fields } from '../../events/effects.ts';
import type { ClientTool } from './client-request.ts';
import { withRequired } from './instance.ts';
import { fieldsAt } from './loose.ts';
import type { ScriptedCall } from './script.ts';

export interface FoundCall {
  readonly kind: ClientTool['kind'];
  readonly name: string;
  readonly namespace?: string;
  readonly args: Fields;
  /** Free text, for a custom tool. */
  readonly input?: string;
}

/**
 * Returns undefined if the client has no such tool. A tool given by name is called even if the client lacks
 * it, so that the client can react.
 */
export const findCall = (call: ScriptedCall, tools: readonly ClientTool[]): FoundCall | undefined =>
  'shell' in call
    ? shellCall(call, tools)
    : 'write' in call
      ? writeCall(call, tools)
      : namedCall(call, tools);

/** Names of shell tools, most specific first, because some agents offer several that match. */
const SHELLS = [
  'Bash',
  'bash',
  'run_shell_command',
  'run_terminal_command',
  'shell_command',
  'exec_command',
  'shell',
  'developer__shell',
  'local_shell',
  'execute_command',
  'terminal',
];

function shellCall(
  { shell, args }: Extract<ScriptedCall, { shell: string }>,
  tools: readonly ClientTool[],
): FoundCall | undefined {
  const tool =
    SHELLS.map((name) => tools.find((known) => known.name === name)).find((found) => found !== undefined) ??
    tools.find(({ name }) => /(^|[_.])(shell|bash|exec)/i.test(name)) ??
    tools.find(({ schema }) => ['command', 'cmd', 'script'].some((key) => key in propertiesOf(schema)));
  if (tool === undefined) return undefined;
  const argv = ['bash', '-lc', shell];
  if (tool.kind === 'local-shell') return { kind: tool.kind, name: tool.name, args: { command: argv } };
  if (tool.kind === 'custom') return ofCustom(tool, { input: nested(shell) });
  const properties = propertiesOf(tool.schema);
  const key = ['command', 'cmd', 'script', 'input'].find((name) => name in properties) ?? 'command';
  const takesList = [fieldsAt(properties, key)?.['type']].flat().includes('array');
  return ofFunction(tool, { [key]: takesList ? argv : shell, ...args });
}

const propertiesOf = (schema: Fields | undefined): Fields => fieldsAt(schema, 'properties') ?? {};

/** Finds a tool with a path and a content argument, preferably with a name that says that it writes. */
function writeCall(
  { write }: Extract<ScriptedCall, { write: string }>,
  tools: readonly ClientTool[],
): FoundCall | undefined {
  const keyOf = (tool: ClientTool, pattern: RegExp) =>
    Object.keys(propertiesOf(tool.schema)).find((key) => pattern.test(key));
  const isWriter = (tool: ClientTool) =>
    keyOf(tool, PATH_KEY) !== undefined && keyOf(tool, CONTENT_KEY) !== undefined;
  const tool =
    tools.find((one) => /write|create|save/i.test(one.name) && isWriter(one)) ?? tools.find(isWriter);
  if (tool === undefined) return undefined;
  return ofFunction(tool, { [keyOf(tool, PATH_KEY)!]: write, [keyOf(tool, CONTENT_KEY)!]: 'written\n' });
}
const PATH_KEY = /^(?:absolute_?|target_?)?(?:path|file_?path|file|file_?name)$/i;
const CONTENT_KEY = /^(?:file_?)?(?:contents?|text)$/i;

function namedCall(
  { tool: wanted, args = {}, input }: Extract<ScriptedCall, { tool: string }>,
  tools: readonly ClientTool[],
): FoundCall {
  const pattern = /^\/(.*)\/$/s.exec(wanted)?.[1];
  const fits = pattern === undefined ? undefined : new RegExp(pattern);
  const tool = tools.find(({ name }) => fits?.test(name) ?? name === wanted);
  if (tool === undefined) return { kind: 'function', name: wanted, args };
  if (tool.kind === 'custom') return ofCustom(tool, args, input ?? String(args['input'] ?? ''));
  return ofFunction(tool, args);
}

const ofFunction = ({ name, namespace, schema }: ClientTool, args: Fields): FoundCall => ({
  kind: 'function',
  name,
  ...(namespace !== undefined && { namespace }),
  args: withRequired(schema, args),
});

const ofCustom = (
  { name, namespace }: ClientTool,
  args: Fields,
  input = String(args['input']),
): FoundCall => ({ kind: 'custom', name, ...(namespace !== undefined && { namespace }), args, input });

/** Codex in code mode: the model writes JavaScript that calls the tools. */
const nested = (command: string): string =>
  `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}});\ntext(r.output ?? r);`;
