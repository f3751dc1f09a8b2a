/**
 * Compares the hook types of the published oh-my-pi with ours, and runs its example hooks unmodified. Our types are
 * wider where the document is: a module written for their types must compile with ours.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type * as ours from '../../src/agents/oh-my-pi/api/index.ts';
import { CACHE } from './packages.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const THEIRS = join(CACHE, 'oh-my-pi/node_modules/@oh-my-pi/pi-coding-agent');
const folder = mkdtempSync(join(HERE, '.types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = `
import type * as theirs from ${JSON.stringify(join(THEIRS, 'dist/types/extensibility/hooks/types.js'))};
import type * as ours from ${JSON.stringify(join(HERE, '../../dist/agents/oh-my-pi/api/index.js'))};
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { missing: Exclude<B, A> }) : { extra: Exclude<A, B> };
type Lacks<A, B> = [Exclude<B, A>] extends [never] ? true : { missing: Exclude<B, A> };
`;

/** Errors of the compiler in our lines, or an empty string. Errors inside their package are ignored. */
async function compiled(name: string, text: string): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), HEAD + text);
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--ignoreConfig',
  ];
  const args = [join(typescript, 'bin/tsc'), ...options, '--types', 'node', `${name}.ts`];
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_, out, error) =>
      resolve(out + error),
    );
  });
  return said
    .split('\n')
    .filter((line) => line.startsWith(`${name}.ts`))
    .join('\n');
}

const EVENTS =
  `SessionStart SessionBeforeSwitch SessionSwitch SessionBeforeBranch SessionBranch SessionBeforeCompact
  SessionCompacting SessionCompact SessionBeforeTree SessionTree SessionShutdown Context BeforeAgentStart AgentStart
  AgentEnd TurnStart TurnEnd AutoCompactionStart AutoCompactionEnd AutoRetryStart AutoRetryEnd TtsrTriggered TodoReminder`
    .split(/\s+/)
    .map((name) => `${name}Event`);

test('every event of oh-my-pi is one of ours with the same fields', async () => {
  const rows = EVENTS.map(
    (name) => `export const ${name}: Lacks<keyof ours.${name}, keyof theirs.${name}> = true;
      export const ${name}Type: Same<ours.${name}['type'], theirs.${name}['type']> = true;`,
  );
  expect(await compiled('events', rows.join('\n'))).toBe('');
});

test('a tool call and its result have the same fields as in oh-my-pi', async () => {
  const text = ['ToolCallEvent', 'ToolResultEvent', 'ToolCallEventResult', 'ToolResultEventResult']
    .map((name) => `export const ${name}: Lacks<keyof ours.${name}, keyof theirs.${name}> = true;`)
    .join('\n');
  expect(await compiled('tools', text)).toBe('');
});

test('a return value of an oh-my-pi handler is valid for ours', async () => {
  const results = [
    'SessionBeforeSwitchResult',
    'SessionBeforeBranchResult',
    'SessionBeforeTreeResult',
    'SessionCompactingResult',
    'ToolCallEventResult',
  ];
  const text = results.map(
    (name) => `export const ${name}: ours.${name} = null as unknown as theirs.${name};`,
  );
  expect(await compiled('results', text.join('\n'))).toBe('');
});

test('every member of the API, context and dialogs of oh-my-pi is in ours, except schema libraries other than zod', async () => {
  const text = `
    export const api: Lacks<keyof ours.HookAPI | 'typebox' | 'arktype' | 'pi', keyof theirs.HookAPI> = true;
    export const context: Lacks<keyof ours.HookContext, keyof theirs.HookContext> = true;
    export const command: Lacks<keyof ours.HookCommandContext, keyof theirs.HookCommandContext> = true;
    export const ui: Lacks<keyof ours.HookUIContext, keyof theirs.HookUIContext> = true;`;
  expect(await compiled('members', text)).toBe('');
});

test('control: the comparison detects a field that oh-my-pi does not have', async () => {
  const text = `export const one: Lacks<keyof ours.ToolCallEvent, keyof theirs.ToolCallEvent | 'new_field'> = true;`;
  expect(await compiled('control', text)).toContain('new_field');
});

test('all example hooks of oh-my-pi load unmodified', async () => {
  const { loadHooks } = (await import(join(HERE, '../../dist/agents/oh-my-pi/api/index.js'))) as {
    loadHooks: (
      paths: string[],
      cwd: string,
    ) => Promise<{ hooks: { path: string }[]; errors: { path: string; error: string }[] }>;
  };
  const home = join(THEIRS, 'examples/hooks');
  const paths = readdirSync(home)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(home, name));
  const { hooks, errors } = await loadHooks(paths, folder);
  expect([hooks.map(({ path }) => path), errors]).toEqual([paths, []]);
  expect(paths).toHaveLength(11);
});

test('three example hooks of oh-my-pi work here unmodified', async () => {
  const { loadHooks, HookRunner } = (await import(
    join(HERE, '../../dist/agents/oh-my-pi/api/index.js')
  )) as typeof ours;
  const names = ['permission-gate.ts', 'protected-paths.ts', 'confirm-destructive.ts'];
  const { hooks, errors } = await loadHooks(
    names.map((name) => join(THEIRS, 'examples/hooks', name)),
    folder,
  );
  expect(errors).toEqual([]);
  const call = (toolName: string, input: Record<string, unknown>) =>
    ({ type: 'tool_call', toolName, toolCallId: 'c', input }) as const;
  const alone = new HookRunner(hooks, { cwd: folder });
  expect(await alone.emitToolCall(call('bash', { command: 'ls' }))).toBeUndefined();
  expect((await alone.emitToolCall(call('bash', { command: 'sudo rm -rf /' })))?.block).toBe(true);
  expect((await alone.emitToolCall(call('write', { path: '.env', content: '' })))?.block).toBe(true);
  const asked: string[] = [];
  const ui = {
    select: async (title: string) => (asked.push(title), 'No'),
    confirm: async (title: string) => (asked.push(title), false),
    input: async () => undefined,
    notify() {},
  };
  const watched = new HookRunner(hooks, { cwd: folder, services: { ui } });
  expect((await watched.emitToolCall(call('bash', { command: 'rm -rf build' })))?.block).toBe(true);
  expect(await watched.emit({ type: 'session_before_switch', reason: 'new' })).toEqual({ cancel: true });
  expect(asked.length).toBe(2);
});
