/** The agent's built-in tools, for extensions that wrap one or replace a part of one. */

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { NEVER } from '../../../../events/signal.ts';
import { LONGEST_TIMER_MS } from '../../../../runners/deadline.ts';
import { sharedCommands } from '../../../../runs/shared-commands.ts';
import { Type } from './packed-typebox.mjs';
import { truncateHead, truncateTail } from './truncate.ts';

interface ToolAnswer {
  content: { type: 'text'; text: string }[];
  details?: unknown;
}
interface BuiltInTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(
    id: string,
    params: never,
    signal?: AbortSignal,
    onUpdate?: (update: ToolAnswer) => void,
  ): Promise<ToolAnswer>;
}
/** Replacements for disk and shell access, provided by an extension. */
interface ToolOptions {
  readonly operations?: {
    readFile?(path: string): Promise<Uint8Array | string>;
    writeFile?(path: string, content: string): Promise<void>;
    mkdir?(path: string): Promise<void>;
    exec?(command: string, cwd: string, how: BashHow): Promise<{ exitCode: number | null }>;
  };
  readonly spawnHook?: (context: BashContext) => BashContext;
}
interface BashHow {
  readonly onData: (data: Uint8Array) => void;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly env?: NodeJS.ProcessEnv;
}
interface BashContext {
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

const text = (value: string, details?: unknown): ToolAnswer => ({
  content: [{ type: 'text', text: value }],
  ...(details !== undefined && { details }),
});
const at = (cwd: string, path: string): string => (isAbsolute(path) ? path : resolve(cwd, path));
const path = Type.String({ description: 'Path to the file (relative or absolute)' });

export const createReadTool = (cwd: string, { operations = {} }: ToolOptions = {}): BuiltInTool => ({
  name: 'read',
  label: 'read',
  description: 'Read the contents of a file.',
  parameters: Type.Object({
    path,
    offset: Type.Optional(Type.Number()),
    limit: Type.Optional(Type.Number()),
  }),
  async execute(_, { path: file, offset = 1, limit }: { path: string; offset?: number; limit?: number }) {
    const bytes = await (operations.readFile ?? readFile)(at(cwd, file));
    const lines = Buffer.from(bytes)
      .toString('utf8')
      .split('\n')
      .slice(offset - 1);
    const { content, ...truncation } = truncateHead(lines.slice(0, limit ?? lines.length).join('\n'));
    return text(content, truncation.truncated ? { truncation } : undefined);
  },
});

export const createWriteTool = (cwd: string, { operations = {} }: ToolOptions = {}): BuiltInTool => ({
  name: 'write',
  label: 'write',
  description: 'Write content to a file, in place of what it holds.',
  parameters: Type.Object({ path, content: Type.String() }),
  async execute(_, { path: name, content }: { path: string; content: string }) {
    const file = at(cwd, name);
    await (operations.mkdir?.(dirname(file)) ?? mkdir(dirname(file), { recursive: true }));
    await (operations.writeFile ?? writeFile)(file, content);
    return text(`Successfully wrote ${Buffer.byteLength(content)} bytes to ${name}`);
  },
});

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}
export const createEditTool = (cwd: string, { operations = {} }: ToolOptions = {}): BuiltInTool => ({
  name: 'edit',
  label: 'edit',
  description: 'Replace exact text in a file.',
  parameters: Type.Object({
    path,
    edits: Type.Array(Type.Object({ oldText: Type.String(), newText: Type.String() })),
  }),
  async execute(_, { path: name, edits, ...one }: { path: string; edits?: readonly Edit[] } & Partial<Edit>) {
    const file = at(cwd, name);
    const wanted = edits ?? [{ oldText: one.oldText ?? '', newText: one.newText ?? '' }];
    let content = Buffer.from(await (operations.readFile ?? readFile)(file)).toString('utf8');
    for (const { oldText, newText } of wanted) {
      const [before, ...after] = content.split(oldText);
      if (oldText === '' || after.length !== 1)
        throw new Error(
          after.length === 0
            ? `Could not find the exact text in ${name}.`
            : `Found ${after.length} occurrences of the text in ${name}. The text must be unique.`,
        );
      content = `${before}${newText}${after[0]}`;
    }
    await (operations.writeFile ?? writeFile)(file, content);
    return text(`Successfully replaced ${wanted.length} block(s) in ${name}.`);
  },
});

export const createBashTool = (
  cwd: string,
  { operations = {}, spawnHook }: ToolOptions = {},
): BuiltInTool => ({
  name: 'bash',
  label: 'bash',
  description: 'Execute a bash command in the current working directory.',
  parameters: Type.Object({ command: Type.String(), timeout: Type.Optional(Type.Number()) }),
  async execute(_, { command: asked, timeout }: { command: string; timeout?: number }, signal, onUpdate) {
    const usual: BashContext = { command: asked, cwd, env: process.env };
    const { command, cwd: folder, env } = spawnHook?.(usual) ?? usual;
    let printed = '';
    const onData = (data: Uint8Array) => {
      printed += Buffer.from(data).toString('utf8');
      onUpdate?.(text(truncateTail(printed).content));
    };
    const how = { onData, env, ...(signal && { signal }), ...(timeout !== undefined && { timeout }) };
    const { exitCode } = await (operations.exec ?? runBash)(command, folder, how);
    const { content, ...truncation } = truncateTail(printed);
    if (exitCode !== 0) throw new Error(`${content}\n\nCommand exited with code ${exitCode}`.trim());
    return text(content || '(no output)', truncation.truncated ? { truncation } : undefined);
  },
});

async function runBash(command: string, cwd: string, { onData, signal = NEVER, timeout, env }: BashHow) {
  const reply = await sharedCommands().run(
    { kind: 'command', run: { argv: ['bash', '-c', command] }, env: 'inherit' },
    { kind: 'command', cwd, ...(env && { env: env as Record<string, string> }) },
    { timeoutMs: timeout === undefined ? LONGEST_TIMER_MS : timeout * 1000, signal },
  );
  if (reply.kind === 'exited' || reply.kind === 'broken')
    onData(Buffer.from(`${reply.stdout ?? ''}${reply.stderr ?? ''}`));
  if (reply.kind !== 'exited') throw new Error(reply.kind === 'broken' ? reply.why.kind : reply.kind);
  return { exitCode: reply.code };
}

export const createLsTool = (cwd: string): BuiltInTool => ({
  name: 'ls',
  label: 'ls',
  description: 'List the contents of a folder.',
  parameters: Type.Object({ path: Type.Optional(path), limit: Type.Optional(Type.Number()) }),
  async execute(_, { path: folder = '.', limit = 500 }: { path?: string; limit?: number }) {
    const entries = await readdir(at(cwd, folder), { withFileTypes: true });
    const names = entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).toSorted();
    return text(names.slice(0, limit).join('\n') || '(empty directory)');
  },
});

export const createFindTool = (cwd: string): BuiltInTool => ({
  name: 'find',
  label: 'find',
  description: 'Search for files by a glob pattern.',
  parameters: Type.Object({
    pattern: Type.String(),
    path: Type.Optional(path),
    limit: Type.Optional(Type.Number()),
  }),
  async execute(
    _,
    { pattern, path: folder = '.', limit = 1000 }: { pattern: string; path?: string; limit?: number },
  ) {
    const root = at(cwd, folder);
    const fits = picomatch(pattern, { dot: true, basename: !pattern.includes('/') });
    const found = (await filesBelow(root)).map((file) => relative(root, file)).filter((file) => fits(file));
    return text(found.slice(0, limit).join('\n') || 'No files found matching pattern');
  },
});

interface Grep {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly ignoreCase?: boolean;
  readonly literal?: boolean;
  readonly limit?: number;
}
export const createGrepTool = (cwd: string): BuiltInTool => ({
  name: 'grep',
  label: 'grep',
  description: 'Search file contents for a pattern.',
  parameters: Type.Object({
    pattern: Type.String(),
    path: Type.Optional(path),
    glob: Type.Optional(Type.String()),
    ignoreCase: Type.Optional(Type.Boolean()),
    literal: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Number()),
  }),
  async execute(_, { pattern, path: place = '.', glob, ignoreCase, literal, limit = 100 }: Grep) {
    const root = at(cwd, place);
    const source = literal === true ? pattern.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`) : pattern;
    const wanted = new RegExp(source, ignoreCase === true ? 'i' : '');
    const fits =
      glob === undefined ? () => true : picomatch(glob, { dot: true, basename: !glob.includes('/') });
    const lines: string[] = [];
    for (const file of (await stat(root)).isDirectory() ? await filesBelow(root) : [root]) {
      const name = relative(root, file) || file;
      if (!fits(name) || lines.length >= limit) continue;
      for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries())
        if (wanted.test(line) && lines.length < limit) lines.push(`${name}:${index + 1}: ${line}`);
    }
    return text(lines.join('\n') || 'No matches found');
  },
});

/** Excludes folders that are usually not searched. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => name !== '.git' && name !== 'node_modules')
      .map((entry) => {
        const place = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(place) : entry.isFile() ? [place] : [];
      }),
  );
  return found.flat().toSorted();
}

export const createReadToolDefinition = createReadTool;
export const createWriteToolDefinition = createWriteTool;
export const createEditToolDefinition = createEditTool;
export const createBashToolDefinition = createBashTool;
export const createLsToolDefinition = createLsTool;
export const createFindToolDefinition = createFindTool;
export const createGrepToolDefinition = createGrepTool;
export const createCodingTools = (cwd: string): BuiltInTool[] =>
  [createReadTool, createBashTool, createEditTool, createWriteTool].map((create) => create(cwd));
export const createReadOnlyTools = (cwd: string): BuiltInTool[] =>
  [createReadTool, createGrepTool, createFindTool, createLsTool].map((create) => create(cwd));
