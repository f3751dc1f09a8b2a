/**
 * Compares our types with the published SDK to detect upstream changes: the same events, the same input fields, and
 * outputs that are valid for ours. Values are deliberately wider in ours: strings that a newer CLI sends (`source`,
 * `reason`) and tool inputs as objects.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { sdkModule } from './packages.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(HERE, '.types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OURS = join(HERE, '../../dist/agents/claude-agent-sdk/api/index.js');
const HEAD = `
import type * as theirs from ${JSON.stringify(sdkModule().replace(/\.mjs$/, '.js'))};
import type * as ours from ${JSON.stringify(OURS)};
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { missing: Exclude<B, A> }) : { extra: Exclude<A, B> };
type Theirs<E> = Extract<theirs.HookInput, { hook_event_name: E }>;
`;

/** Errors of the compiler, or an empty string. */
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
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

test('our events are the events of the published SDK', async () => {
  expect(await compiled('events', 'export const same: Same<ours.HookEvent, theirs.HookEvent> = true;')).toBe(
    '',
  );
});

test('the input of every event has the same fields as in the published SDK', async () => {
  const text = `
    type Fields = { [E in theirs.HookEvent]: Same<keyof ours.HookInput<E>, keyof Theirs<E>> };
    export const same: { [E in theirs.HookEvent]: true } = null as unknown as Fields;`;
  expect(await compiled('inputs', text)).toBe('');
});

test('an output with the types of the published SDK is valid for ours', async () => {
  const text = 'export const one: ours.HookJSONOutput = null as unknown as theirs.HookJSONOutput;';
  expect(await compiled('outputs', text)).toBe('');
});

test('callbacks and matchers with the types of the published package are accepted without a cast', async () => {
  const text = `
    import { createHooks } from ${JSON.stringify(join(HERE, '../../dist/index.js'))};
    import { HookService, query } from ${JSON.stringify(OURS)};
    declare const callback: theirs.HookCallback;
    declare const matchers: theirs.HookCallbackMatcher[];
    declare const all: NonNullable<theirs.Options['hooks']>;
    declare const canUseTool: theirs.CanUseTool;
    declare const options: theirs.Options;
    declare const prompt: AsyncIterable<theirs.SDKUserMessage>;
    void query({ prompt, options });
    const host = { name: 'mine', can: {} };
    for (const hooks of [{ PreToolUse: callback }, { PreToolUse: matchers, Stop: callback }, all]) {
      new HookService().registerHooks(hooks);
      void createHooks({ host, hooks });
      void query({ prompt: 'hi', options: { hooks, canUseTool, abortController: new AbortController() } });
      void query('hi', { hooks });
    }
    new HookService().registerHooks({ PreToolUse: [{ hooks: matchers[0]!.hooks }, { matcher: 'Bash', hooks: [callback] }] });
    // Our own types are still checked: a missing field is an error.
    new HookService().registerHooks({ PreToolUse: (input, id, { cwd }) => ({ reason: input.tool_name + id + cwd }) });`;
  expect(await compiled('published', text)).toBe('');
  const wrong = `
    import { HookService } from ${JSON.stringify(OURS)};
    new HookService().registerHooks({ PreToolUse: [{ hooks: 5 }] });`;
  expect(await compiled('published-control', wrong)).not.toBe('');
});

test('the comparison detects a field that the published SDK does not have', async () => {
  const text = `export const same: Same<keyof ours.HookInput<'Stop'> | 'new_field', keyof Theirs<'Stop'>> = true;`;
  expect(await compiled('control', text)).toContain('new_field');
});
