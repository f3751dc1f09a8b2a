/** Loads modules of oh-my-pi through `createHooks`, in separate processes unless the host sets another isolation. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Fields } from '../events/effects.ts';
import type { Dialogs, Services } from '../events/services.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import type { DrawnComponent } from '../modules/drawing.ts';
import type { Options } from './options.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-foreign-')));
const open: Hooks[] = [];
let count = 0;
afterAll(async () => {
  for (const hooks of open) await hooks.close();
  rmSync(root, { recursive: true, force: true });
});

interface World {
  readonly home: string;
  readonly cwd: string;
  write(path: string, text: string): string;
}
function world(): World {
  const base = join(root, String(++count));
  const [home, cwd] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  return {
    home,
    cwd,
    write(path, text) {
      const file = join(base, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}

async function hooksIn({ home, cwd }: World, options: Partial<Options> = {}): Promise<Hooks> {
  const given = { host: { name: 'test', can: EVERYTHING }, home, cwd, journal: false as const };
  const looked = await createHooks({ ...given, ...options });
  const hashes = looked.examined.map(({ judgement }) => judgement.hash);
  if (hashes.length === 0) {
    open.push(looked);
    return looked;
  }
  await looked.close();
  const hooks = await createHooks({ ...given, ...options, trust: { hashes } });
  open.push(hooks);
  return hooks;
}
const shell = (command: string) =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's', call: 'c' },
  }) as const;

const GUARD = `
export default function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    if (event.toolName !== 'bash') return;
    if (event.input.command === 'pid') return { block: true, reason: String(process.pid) };
    if (event.input.command.includes('rm -rf')) return { block: true, reason: 'blocked (' + ctx.hasUI + ')' };
    if (event.input.command === 'ls') return { input: { command: 'ls -l' } };
    event.input.command = 'changed in place';
  });
}`;

describe('a hook module of oh-my-pi', () => {
  test('an oh-my-pi module runs in its own process, also a user module, and in the host process if the host says so', async () => {
    const ground = world();
    ground.write('home/.omp/agent/hooks/pre/mine.ts', GUARD);
    const pidIn = async (isolate?: NonNullable<Options['modules']>['isolate']) => {
      const mine = await hooksIn(ground, isolate && { modules: { isolate } });
      expect(mine.problems).toEqual([]);
      return (await mine.fire(shell('pid'))).reasons[0]?.text;
    };
    expect([await pidIn('project'), await pidIn('none')]).toEqual([String(process.pid), String(process.pid)]);
    expect(await pidIn()).not.toBe(String(process.pid));

    const other = world();
    other.write('project/.omp/hooks/pre/theirs.ts', GUARD);
    const theirs = await hooksIn(other);
    expect(theirs.problems).toEqual([]);
    const outcome = await theirs.fire(shell('pid'));
    expect(outcome.verdict).toBe('deny');
    expect(outcome.reasons[0]?.text).toMatch(/^\d+$/);
    expect(outcome.reasons[0]?.text).not.toBe(String(process.pid));
    expect(theirs.hooks.map(({ origin }) => origin.file)).toContain(
      join(other.cwd, '.omp/hooks/pre/theirs.ts'),
    );
  });

  test('an oh-my-pi module gives the same block and the same changed input in both kinds of process', async () => {
    for (const isolate of ['all', 'none'] as const) {
      const ground = world();
      ground.write('home/.omp/hooks/pre/guard.mjs', GUARD);
      const hooks = await hooksIn(ground, { modules: { isolate } });
      const denied = await hooks.fire(shell('rm -rf build'));
      expect([denied.verdict, denied.reasons.map(({ text }) => text)]).toEqual(['deny', ['blocked (false)']]);
      expect((await hooks.fire(shell('ls'))).payload).toMatchObject({ input: { command: 'ls -l' } });
      expect((await hooks.fire(shell('cat'))).payload).toMatchObject({ input: { command: 'cat' } });
    }
  });

  test('an oh-my-pi module of a project is not imported before the user trusts it', async () => {
    const ground = world();
    const trace = join(ground.cwd, 'ran');
    ground.write(
      'project/.omp/hooks/pre/eager.mjs',
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(trace)}, ''); export default () => {};`,
    );
    const hooks = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      home: ground.home,
      cwd: ground.cwd,
      journal: false,
    });
    open.push(hooks);
    expect(hooks.problems.map(({ code, file }) => [code, file])).toEqual([
      ['not-trusted', join(ground.cwd, '.omp/hooks/pre/eager.mjs')],
    ]);
    expect(existsSync(trace)).toBe(false);
    // Control: the trusted module runs.
    await hooksIn(ground);
    expect(existsSync(trace)).toBe(true);
  });

  test.each(['all', 'none'] as const)(
    'an oh-my-pi module that cannot be loaded refuses the calls it may have guarded (%s)',
    async (isolate) => {
      const ground = world();
      const file = ground.write(
        'home/.omp/hooks/pre/broken.ts',
        'export default function (pi) {\n  pi.on(;\n}',
      );
      const hooks = await hooksIn(ground, { modules: { isolate } });
      expect(hooks.problems.map((problem) => [problem.file, problem.line])).toEqual([[file, 2]]);
      expect((await hooks.fire(shell('ls'))).verdict).toBe('deny');
    },
  );

  test('a shell script next to modules is reported, and runs if the host enables scripts', async () => {
    const ground = world();
    const file = ground.write(
      'project/.omp/hooks/pre/bash.sh',
      'read event; case "$event" in *forbidden*) echo no >&2; exit 1;; esac',
    );
    const reported = await hooksIn(ground);
    expect(reported.problems.map((problem) => problem.file)).toEqual([file]);
    const hooks = await hooksIn(ground, { modules: { scripts: 'run' } });
    expect(hooks.problems).toEqual([]);
    const denied = await hooks.fire(shell('forbidden'));
    expect([denied.verdict, denied.reasons.map(({ text }) => text)]).toEqual(['deny', ['no']]);
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
  });

  test('an extension changes its input in place, also from its own process', async () => {
    for (const isolate of ['all', 'none'] as const) {
      const ground = world();
      ground.write(
        'home/.omp/hooks/pre/ext.ts',
        `import type { ExtensionAPI } from '@oh-my-pi/pi-coding-agent';
         export default (pi: ExtensionAPI) => { pi.on('tool_call', (event) => { event.input.command = 'true'; }); };`,
      );
      const hooks = await hooksIn(ground, { modules: { isolate } });
      expect((await hooks.fire(shell('ls'))).payload).toMatchObject({ input: { command: 'true' } });
    }
  });
});

const OFFERS = `
export default function (pi) {
  pi.registerCommand('greet', {
    description: 'Says hello',
    handler: async (args, ctx) => {
      const name = await ctx.ui.input('Name?');
      ctx.ui.notify('hello ' + name + ' ' + args + ' ' + ctx.sessionManager.getSessionId() + ' ' +
        ctx.sessionManager.getEntry('e1').text + ' ' + ctx.isIdle());
      pi.appendEntry('greeted', { name });
      pi.sendMessage({ customType: 'note', content: 'hi', display: true });
    },
  });
  pi.registerCommand('fail', { handler: () => { throw new Error('no way'); } });
  pi.registerCommand('pick', {
    handler: async (args, ctx) => {
      const picked = await ctx.ui.custom((tui, theme, done) => {
        let at = 0;
        return {
          render: (width) => ['w' + width, theme.fg('accent', '> ' + at)],
          handleInput: (data) => { if (data === 'j') { at++; tui.requestRender(); } else done('picked ' + at); },
        };
      });
      ctx.ui.notify(String(picked));
    },
  });
  pi.registerCommand('fresh', {
    handler: async (args, ctx) => {
      const { cancelled } = await ctx.newSession({
        parentSession: ctx.sessionManager.getSessionFile(),
        setup: async (sm) => { sm.appendMessage({ role: 'user', content: 'go on' }); },
      });
      ctx.ui.notify('cancelled ' + cancelled);
    },
  });
  pi.registerMessageRenderer('note', (message, { expanded }, theme) => ({
    render: (width) => [theme.bold(message.content), String(expanded), String(width)],
  }));
}`;

describe.each(['all', 'none'] as const)('offers of a module (isolated: %s)', (isolate) => {
  let hooks: Hooks;
  const heard: unknown[] = [];
  const components: DrawnComponent[] = [];
  beforeEach(() => void heard.splice(0));
  beforeAll(async () => {
    const ground = world();
    ground.write('home/.omp/hooks/pre/offers.mjs', OFFERS);
    const ui: Dialogs = {
      select: async () => undefined,
      confirm: async () => true,
      input: async (title) => (heard.push(title), 'Ada'),
      notify: (message) => void heard.push(message),
      custom: (factory) =>
        new Promise((done) => {
          const make = factory as (...args: unknown[]) => Promise<DrawnComponent>;
          const theme = { fg: (_: string, text: string) => `<${text}>` };
          void make({ requestRender() {} }, theme, done).then((component) => components.push(component));
        }),
      theme: { fg: (_: string, text: string) => `<${text}>`, bold: (text: string) => `*${text}*` },
    };
    const services: Services = {
      ui,
      session: {
        entries: () => [{ id: 'e1', parentId: null, text: 'first' }],
        view: () => ({ getSessionId: () => 'S1', getSessionFile: () => '/s/1.jsonl' }),
        isIdle: () => true,
        act: async (what, how) => {
          const made: unknown[] = [];
          const { setup, ...rest } = how as Fields & { setup?: (manager: object) => Promise<void> };
          await setup?.({ appendMessage: (message: unknown) => (made.push(message), 'id') });
          heard.push([what, rest, made]);
          return { cancelled: false };
        },
      },
      messages: {
        send: (message) => void heard.push(message),
        append: (type, data) => void heard.push([type, data]),
      },
    };
    hooks = await hooksIn(ground, { modules: { isolate }, services });
    expect(hooks.problems).toEqual([]);
  });
  const command = (name: string) => hooks.offers.commands.find((one) => one.name === name)!;

  test('a module command runs with the full command context', async () => {
    expect(hooks.offers.commands.map(({ name, description }) => [name, description])).toEqual([
      ['greet', 'Says hello'],
      ['fail', undefined],
      ['pick', undefined],
      ['fresh', undefined],
    ]);
    await command('greet').run('there');
    await expect.poll(() => heard.length).toBe(4);
    expect(heard).toEqual([
      'Name?',
      'hello Ada there S1 first true',
      ['greeted', { name: 'Ada' }],
      { customType: 'note', content: 'hi', display: true },
    ]);
    await expect(command('fail').run('')).rejects.toThrow('no way');
  });

  test('a module sets up a new session, and the changes reach the real session', async () => {
    await command('fresh').run('');
    await expect.poll(() => heard.length).toBe(2);
    expect(heard).toEqual([
      ['new', { parentSession: '/s/1.jsonl' }, [{ role: 'user', content: 'go on' }]],
      'cancelled false',
    ]);
  });

  test('a module component is drawn to lines and receives keys', async () => {
    const run = command('pick').run('');
    await expect.poll(() => components.length).toBe(1);
    const [component] = components;
    await expect.poll(() => component!.render(40)).toEqual(['w40', '<> 0>']);
    component!.handleInput?.('j');
    await expect.poll(() => component!.render(40)).toEqual(['w40', '<> 1>']);
    component!.handleInput?.('\r');
    await run;
    await expect.poll(() => heard).toEqual(['picked 1']);
  });

  test('a module renderer draws with the colours of the host', async () => {
    const [renderer] = hooks.offers.renderers;
    expect(renderer?.type).toBe('note');
    expect(await renderer?.render({ content: 'hi' }, { width: 12, expanded: true })).toEqual([
      '*hi*',
      'true',
      '12',
    ]);
  });
});

test('of two commands with one name the first one wins, and a problem reports it', async () => {
  const ground = world();
  const text = (word: string) =>
    `export default (pi) => { pi.registerCommand('same', { description: '${word}', handler() {} }); };`;
  ground.write('home/.omp/hooks/pre/a.mjs', text('first'));
  const second = ground.write('home/.omp/hooks/pre/b.mjs', text('second'));
  const hooks = await hooksIn(ground);
  expect(hooks.offers.commands.map(({ description }) => description)).toEqual(['first']);
  expect(hooks.problems.map(({ code, file }) => [code, file])).toEqual([['duplicate-hook', second]]);
});

describe.each(['all', 'none'] as const)('the deadline of a handler (isolated: %s)', (isolate) => {
  const opened = async (text: string, services: Services = {}) => {
    const ground = world();
    ground.write('home/.omp/hooks/pre/asks.mjs', text);
    return await hooksIn(ground, { modules: { isolate, handlerMs: 1000 }, services });
  };

  test('the deadline of a handler is listed, and pauses while the user is asked', async () => {
    const ui: Dialogs = {
      select: async () => undefined,
      confirm: () => new Promise((answer) => setTimeout(() => answer(false), 2000)),
      input: async () => undefined,
      notify() {},
    };
    const hooks = await opened(
      `export default (pi) => { pi.on('tool_call', async (event, ctx) => {
         if (event.input.command === 'hang') await new Promise(() => {});
         if (!(await ctx.ui.confirm('Sure?', ''))) return { block: true, reason: 'no' };
       }); };`,
      { ui },
    );
    const listed = hooks.hooks.filter(({ dialect }) => dialect === 'oh-my-pi');
    expect(listed.map(({ timeoutMs }) => timeoutMs)).toEqual([1000]);
    const outcome = await hooks.fire(shell('ls'));
    expect(outcome.reasons.map(({ text, broken }) => [text, broken])).toEqual([['no', undefined]]);
    const late = await hooks.fire(shell('hang'));
    expect(late.reasons.map(({ text, broken }) => [/timed-out/.test(text), broken])).toEqual([[true, true]]);
  });
});

test('a command that spins in its own process is killed, and one that waits for the user is not', async () => {
  const ground = world();
  ground.write(
    'home/.omp/hooks/pre/commands.mjs',
    `export default (pi) => {
       pi.registerCommand('spin', { handler() { for (;;); } });
       pi.registerCommand('ask', { handler: async (args, ctx) => ctx.ui.notify(await ctx.ui.input('Name?')) });
     };`,
  );
  const heard: string[] = [];
  const ui: Dialogs = {
    select: async () => undefined,
    confirm: async () => true,
    input: () => new Promise((answer) => setTimeout(() => answer('Ada'), 3000)),
    notify: (message) => void heard.push(message),
  };
  const hooks = await hooksIn(ground, { modules: { isolate: 'all', handlerMs: 1000 }, services: { ui } });
  const run = (name: string) => hooks.offers.commands.find((one) => one.name === name)!.run('');
  await expect(run('spin')).rejects.toThrow('did not respond for 1000 ms');
  await run('ask'); // in a fresh process
  await expect.poll(() => heard).toEqual(['Ada']);
});

test('a file in place of the modules folder is a problem', async () => {
  const ground = world();
  const file = ground.write('home/.omp/hooks/pre', 'export default () => {};');
  const hooks = await hooksIn(ground);
  expect(hooks.problems.map((problem) => [problem.file, problem.message])).toEqual([
    [file, 'is a file, not a folder: hooks must be in a folder of that name.'],
  ]);
});

test('an empty modules folder is not a problem', async () => {
  const ground = world();
  for (const folder of ['.omp/hooks/pre', '.omp/agent/hooks/post'])
    mkdirSync(join(ground.home, folder), { recursive: true });
  expect((await hooksIn(ground)).problems).toEqual([]);
});
