import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Dialogs } from '../../../events/services.ts';
import { scratch } from './fixtures/scratch.ts';
import { loadHooks } from './load.ts';
import { HookRunner } from './runner.ts';
import { PLAIN } from './theme.ts';
import type { Component, LoadedHook, ToolCallEvent } from './types/index.ts';

const ground = scratch();
const open: LoadedHook[] = [];
afterAll(ground.remove);
afterEach(() => open.splice(0).forEach((hook) => hook.close?.()));

async function loaded(name: string, text: string) {
  const result = await loadHooks([ground.write(name, text)], ground.root, { isolate: true });
  open.push(...result.hooks);
  return result;
}
const call = (command: string): ToolCallEvent => ({
  type: 'tool_call',
  toolName: 'bash',
  toolCallId: 'c',
  input: { command },
});
const person = (heard: string[], waitMs = 0): Dialogs => ({
  select: async () => undefined,
  confirm: (title) => new Promise((answer) => setTimeout(() => (heard.push(title), answer(true)), waitMs)),
  input: async () => undefined,
  notify: (message) => void heard.push(message),
});

test('handlers, commands and renderers are called in the process of the module', async () => {
  const { hooks, errors, warnings } = await loaded(
    'all.mjs',
    `export default (pi) => {
       pi.on('tool_call', (event, ctx) => event.input.command === 'who' ? { block: true, reason: process.pid + ' ' + ctx.hasUI } : undefined);
       pi.on('context', (event) => ({ messages: event.messages.slice(1) }));
       pi.on('tool_call', () => ({ additionalContext: 'seen' }));
       pi.registerCommand('hello', { description: 'd', handler: async (args, ctx) => ctx.ui.notify('hello ' + args) });
       pi.registerMessageRenderer('note', (message, { expanded }, theme) => ({ render: (width) => [message.content + width + expanded] }));
     };`,
  );
  expect([hooks.length, errors, warnings]).toEqual([1, [], []]);
  const heard: string[] = [];
  const runner = new HookRunner(hooks, { cwd: ground.root, services: { ui: person(heard) } });
  const blocked = await runner.emitToolCall(call('who'));
  expect(blocked?.reason).toMatch(/^\d+ true$/);
  expect(blocked?.reason).not.toBe(`${process.pid} true`);
  expect(await runner.emitToolCall(call('ls'))).toEqual({ additionalContext: 'seen' });
  const messages = [
    { role: 'custom', content: 'a' },
    { role: 'custom', content: 'b' },
  ] as never[];
  expect(await runner.emitContext(messages)).toEqual([{ role: 'custom', content: 'b' }]);
  await runner.getCommand('hello')?.handler('you', runner.createCommandContext());
  await expect.poll(() => heard).toEqual(['hello you']);
  const component = runner.getMessageRenderer('note')?.(
    { role: 'custom', customType: 'note', content: 'n' } as never,
    { expanded: true },
    PLAIN,
  );
  await expect.poll(() => component?.render(9)).toEqual(['n9true']);
});

test("a dialog does not count against its handler's timeout, and a hang does and ends the process", async () => {
  const { hooks } = await loaded(
    'asks.mjs',
    `export default (pi) => { pi.on('tool_call', async (event, ctx) => {
       if (event.input.command === 'hang') await new Promise(() => setInterval(() => {}, 1000));
       if (event.input.command === 'spin') for (;;);
       return { block: !(await ctx.ui.confirm('sure?', '')), reason: String(process.pid) };
     }); };`,
  );
  const heard: string[] = [];
  const services = { ui: person(heard, 2500) };
  const patient = new HookRunner(hooks, { cwd: ground.root, services });
  const before = await patient.emitToolCall(call('ls')); // the process is running
  const runner = new HookRunner(hooks, { cwd: ground.root, timeoutMs: 1500 });
  expect(await runner.emitToolCall(call('ls')).catch((error: Error) => error.message)).toEqual(before);
  await expect(runner.emitToolCall(call('spin'))).rejects.toThrow('did not answer within 1500 ms');
  await expect(runner.emitToolCall(call('hang'))).rejects.toThrow('did not answer within 1500 ms');
  // A new process answers. The timeout is generous, because the process has to start.
  expect((await patient.emitToolCall(call('ls')))?.block).toBe(false);
});

test('a module that exits is an error of its handler and refuses the call', async () => {
  const { hooks } = await loaded(
    'exits.mjs',
    `export default (pi) => { pi.on('tool_call', () => process.exit(3)); pi.on('agent_start', () => process.exit(4)); };`,
  );
  const runner = new HookRunner(hooks, { cwd: ground.root });
  const errors: string[] = [];
  runner.onError(({ error }) => errors.push(error));
  await expect(runner.emitToolCall(call('ls'))).rejects.toThrow('exited with code 3');
  await runner.emit({ type: 'agent_start' });
  expect(errors).toEqual([expect.stringContaining('exited with code 4')]);
});

test('a module that does not load is an entry of errors with its location', async () => {
  const { hooks, errors } = await loaded('broken.ts', 'export default function (pi) {\n  pi.on(;\n}');
  expect(hooks).toEqual([]);
  expect(errors).toEqual([expect.objectContaining({ line: 2 })]);
  expect((await loaded('nothing.mjs', 'export const a = 1;')).errors).toHaveLength(1);
  expect((await loaded('exits-at-load.mjs', 'process.exit(0);')).errors).toEqual([
    expect.objectContaining({ error: expect.stringContaining('exited with code 0') as string }),
  ]);
});

test('an unknown event in an isolated module is a warning', async () => {
  const { warnings } = await loaded(
    'odd.mjs',
    `export default (pi) => { pi.on('tool_cal', () => {}); pi.registerTool({}); };`,
  );
  expect(warnings.map(({ error }) => error)).toEqual([
    expect.stringContaining('did you mean "tool_call"?'),
    expect.stringContaining('pi.registerTool'),
  ]);
});

test('later or changed services start no new process, so a module loads only once', async () => {
  const trace = ground.write('trace.txt', '');
  const { hooks } = await loaded(
    'once.mjs',
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(trace)}, 'loaded;');
     let calls = 0;
     export default (pi) => {
       pi.on('tool_call', async (event, ctx) => {
         const said = ctx.hasUI ? await ctx.ui.input('Who?') : 'nobody';
         pi.appendEntry('seen', said);
         return { block: true, reason: said + ' ' + ++calls + ' ' + ctx.ui.theme.bold('x') };
       });
     };`,
  );
  const entries: unknown[] = [];
  const with_ = (name: string) => ({
    ui: {
      ...person([]),
      input: async () => name,
      theme: { bold: (text: string) => `${name[0]}(${text})`, fg: (_: string, text: string) => text },
    },
    messages: { send() {}, append: (_: string, data: unknown) => void entries.push(data) },
  });
  const without = new HookRunner(hooks, { cwd: ground.root });
  await expect(without.emitToolCall(call('ls'))).rejects.toThrow("needs the host service 'messages'");
  const ada = new HookRunner(hooks, { cwd: ground.root, services: with_('Ada') });
  expect((await ada.emitToolCall(call('ls')))?.reason).toBe('Ada 1 A(x)');
  ada.initialize(with_('Bob'));
  expect((await ada.emitToolCall(call('ls')))?.reason).toBe('Bob 2 B(x)');
  await expect.poll(() => entries).toEqual(['Ada', 'Bob']);
  expect(readFileSync(trace, 'utf8')).toBe('loaded;');
});

describe('a dialog drawn by a module', () => {
  const DRAWS = `export default (pi) => { pi.on('tool_call', async (event, ctx) => {
     const picked = await ctx.ui.custom((tui, theme, keys, done) => ({
       render: () => ['> ' + keys.getKeys('tui.select.confirm')],
       handleInput: (data) => {
         if (data === 'exit') process.exit(0);
         if (keys.matches(data, 'tui.select.confirm')) done('confirmed');
         if (keys.matches(data, 'tui.select.cancel')) done('cancelled');
       },
     }));
     return { block: true, reason: String(picked) };
   }); };`;
  async function drawn() {
    const { hooks } = await loaded('draws.mjs', DRAWS);
    const heard: string[] = [];
    const components: Component[] = [];
    const custom = (factory: unknown, signal?: AbortSignal) =>
      new Promise((done) => {
        const closed = () => (heard.push('closed'), done(undefined));
        signal?.addEventListener('abort', closed, { once: true });
        const make = factory as (...args: unknown[]) => Promise<Component>;
        void make({ requestRender() {} }, PLAIN, done).then((one) => components.push(one));
      });
    const services = { ui: { ...person(heard), custom } };
    const runner = new HookRunner(hooks, { cwd: ground.root, services });
    const ask = (signal?: AbortSignal) =>
      runner.emitToolCall(call('ls'), { signal }).catch((error: Error) => error.message);
    const shown = async () => {
      await expect.poll(() => components.length, { timeout: 10_000 }).toBe(1);
      return components.pop()!;
    };
    return { ask, shown, heard };
  }

  test('a dialog with the later form of a factory receives the keybindings', async () => {
    const { ask, shown } = await drawn();
    for (const [key, answer] of [
      ['\r', 'confirmed'],
      ['\u001b', 'cancelled'],
    ] as const) {
      const asked = ask();
      const component = await shown();
      expect(component.render(80)).toEqual(['> enter']);
      component.handleInput?.(key);
      expect(await asked).toEqual({ block: true, reason: answer });
    }
  });

  test('a dialog closes when its call is aborted, and when its process ends', async () => {
    const { ask, shown, heard } = await drawn();
    const abort = new AbortController();
    const asked = ask(abort.signal);
    await shown();
    abort.abort(new Error('given up'));
    expect(await asked).toBe('given up');
    await expect.poll(() => heard).toEqual(['closed']);
    const again = ask();
    (await shown()).handleInput?.('exit');
    expect(await again).toContain('exited with code 0');
    await expect.poll(() => heard.length).toBe(2);
  });
});
