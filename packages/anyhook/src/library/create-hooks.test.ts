import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allow, ask, context, defineHook, deny, notice, type Run, set } from '../index.ts';
import { before, ground, host, OPTA, shell, until, USER } from './fixtures/ground.ts';

describe('createHooks', () => {
  test('without hooks, createHooks returns empty outcomes, listens to nothing and does not touch the disk', async () => {
    const { home, cwd, open } = ground();
    const hooks = await open();
    expect(Object.values(hooks.wants).some(Boolean)).toBe(false);
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.payload, outcome.runs]).toEqual(['none', shell('ls').payload, []]);
    expect([hooks.hooks, hooks.problems, hooks.examined]).toEqual([[], [], []]);
    expect([readdirSync(home), readdirSync(cwd)]).toEqual([[], []]);
  });

  test('a hook of the program is called, and its change becomes the input', async () => {
    const hooks = await ground().open({
      journal: false,
      hooks: [
        defineHook({ on: 'tool.before', match: 'shell', run: () => set('input', 'command', 'ls -l') }),
        defineHook({ on: 'tool.before', match: 'read', run: () => deny('no reading') }),
      ],
    });
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.payload['input']]).toEqual(['none', { command: 'ls -l' }]);
    const read = await hooks.fire({ name: 'tool.before', payload: { tool: 'read', input: { path: 'x' } } });
    expect([read.verdict, read.reasons]).toEqual([
      'deny',
      [{ by: '(program)#hooks[1]', text: 'no reading' }],
    ]);
    const { proceed, reason, payload } = read;
    const input: Readonly<Record<string, unknown>> = payload.input;
    expect([proceed, reason, input]).toEqual(['no', 'no reading', { path: 'x' }]);
    // @ts-expect-error: the payload is typed by the event that was fired
    expect(payload.inptu).toBeUndefined();
  });

  test('user files run without trust, in both dialects, and the fire is recorded', async () => {
    const opta = `case "$OPTA_TOOL_ARGS" in *rm*) echo no rm >&2; exit 1;; esac`;
    const { root, open } = ground({
      [OPTA]: { hooks: [{ event: 'tool.pre', matcher: 'run_command', command: opta }] },
      [USER]: before({ match: 'shell(git *)', run: 'echo no git >&2; exit 2' }),
    });
    const hooks = await open();
    expect(hooks.problems).toEqual([]);
    const reasons = async (command: string) =>
      (await hooks.fire(shell(command))).reasons.map(({ text }) => text);
    expect(await reasons('ls')).toEqual([]);
    expect(await reasons('rm -rf x')).toEqual(['no rm']);
    expect(await reasons('ls && git push')).toEqual(['no git']);
    expect(readdirSync(join(root, 'home/.local/state/anyhook/journal'))).toHaveLength(1);
  });

  test('project hooks do not run before they are trusted, which is reported; a trusted hash makes them run', async () => {
    const { cwd, open } = ground({
      'project/.opta/config.json': { hooks: [{ event: 'tool.pre', command: '.opta/hooks/guard.sh' }] },
      'project/.opta/hooks/guard.sh': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nblock\n',
      'project/.opta/hooks/lib.sh': 'block() { echo "blocked by $(basename "$0")" >&2; exit 1; }\n',
      'project/.anyhook/hooks/mine.ts': `import { writeFileSync } from 'node:fs';\nimport { defineHook } from 'anyhook';\nwriteFileSync('imported', '');\nexport default defineHook({ on: 'tool.before', run: () => undefined });\n`,
    });
    const untrusted = await open({ trust: { selfProtection: false } });
    const outcome = await untrusted.fire(shell('ls'));
    expect([outcome.verdict, outcome.runs.map((run) => run.skipped)]).toEqual(['none', ['not trusted']]);
    expect(existsSync(join(cwd, 'imported'))).toBe(false);
    expect(untrusted.problems.map((problem) => problem.code)).toEqual(['not-trusted', 'not-trusted']);
    const hashes = untrusted.examined.map(({ judgement }) => judgement.hash);
    const trusted = await open({ trust: { hashes } });
    expect((await trusted.fire(shell('ls'))).reasons.map(({ text }) => text)).toEqual([
      'blocked by guard.sh',
    ]);
    expect(existsSync(join(cwd, 'imported'))).toBe(true);
  });

  test('callbacks are hooks too, and silence is not an approval', async () => {
    const hooks = await ground().open({
      journal: false,
      hooks: { 'tool.before': [() => allow('fine'), () => context('remember')] },
    });
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.said.map((s) => s.text)]).toEqual(['allow', ['remember']]);
  });
});

describe('a host', () => {
  test('a host that cannot ask, change or notify gets the remaining outcome, never a weaker one', async () => {
    const can = { 'tool.before': { deny: 'full' } } as const;
    const fired = async (callback: () => unknown) => {
      const hooks = await ground().open({
        host: { name: 'weak', can },
        journal: false,
        hooks: { 'tool.before': callback as never },
      });
      const { verdict, lost } = await hooks.fire(shell('ls'));
      return [verdict, lost];
    };
    expect(await fired(() => ask('sure?'))).toEqual(['deny', ['ask: refused instead']]);
    expect(await fired(() => set('input', 'command', 'x'))).toEqual([
      'deny',
      ['this host cannot change input.command'],
    ]);
    expect(await fired(() => notice('hello'))).toEqual([
      'none',
      ['notice from (program)#hooks.tool.before[0]'],
    ]);
  });

  test('a host without an event has its hooks fired at the nearest event', async () => {
    const hooks = await ground().open({
      host: { name: 'plain', can: { 'tool.before': { deny: 'full' } } },
      journal: false,
      hooks: { 'tool.permission': () => deny('no permission') },
    });
    expect((await hooks.fire(shell('ls'))).verdict).toBe('deny');
  });

  test('a host with its own tool names gets matchers and answers translated', async () => {
    const seen: unknown[] = [];
    const hooks = await ground().open({
      host: { ...host, tools: { zsh: { is: 'shell', args: { command: 'line' } } } },
      journal: false,
      hooks: [
        defineHook({
          on: 'tool.before',
          match: 'Bash|shell',
          run: ({ payload }) => {
            seen.push(payload);
            return set('input', 'command', `nice ${String(payload.input['command'])}`);
          },
        }),
      ],
    });
    const outcome = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'zsh', input: { line: 'ls' } },
    });
    expect(seen[0]).toEqual({ tool: 'shell', input: { command: 'ls' } });
    expect(outcome.payload).toEqual({ tool: 'zsh', input: { line: 'nice ls' } });
    const opta = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'run_command', input: { command: 'ls' } },
    });
    expect(opta.payload).toEqual({ tool: 'run_command', input: { command: 'nice ls' } });
  });

  test('a missing host service is a no-op or an error that names the service', async () => {
    const heard: unknown[] = [];
    const hook = defineHook({
      on: 'tool.before',
      run: async (_, host) => {
        host.ui.notify('hello');
        host.log('info', 'logged');
        const { stdout } = await host.exec('echo', ['from exec']);
        return notice([await host.ui.confirm('?', '?'), await host.ui.input('?'), stdout.trim()].join(' '));
      },
    });
    const judged = before({ prompt: 'is this fine?' });
    const alone = await ground({ [USER]: judged }).open({ hooks: [hook], journal: false });
    const outcome = await alone.fire(shell('ls'));
    expect(outcome.verdict).toBe('deny');
    expect(outcome.reasons.map(({ text }) => text).join()).toContain('judge');
    const offering = await ground().open({
      hooks: [hook],
      journal: false,
      services: {
        log: (level, message) => heard.push([level, message]),
        ui: {
          select: async () => undefined,
          confirm: async () => true,
          input: async () => 'typed',
          notify: (message) => heard.push(message),
        },
      },
    });
    expect((await offering.fire(shell('ls'))).said.map(({ text }) => text)).toEqual(['true typed from exec']);
    expect(heard).toEqual(['hello', ['info', 'logged']]);
    const bare = await ground().open({ hooks: [hook], journal: false });
    expect((await bare.fire(shell('ls'))).said.map(({ text }) => text)).toEqual(['false  from exec']);
  });
});

describe('options', () => {
  test('cwd, home and env decide where hooks are searched and what they receive', async () => {
    const { cwd, open } = ground({ [USER]: before({ run: 'echo "$PWD|$MARK" >&2; exit 2' }) });
    const hooks = await open({ env: { ...process.env, MARK: 'here', XDG_CONFIG_HOME: '/nowhere' } });
    const { reasons } = await hooks.fire(shell('ls'));
    expect(reasons.map(({ text }) => text)).toEqual([`${cwd}|here`]);
  });

  test('dialects selects the settings to read and the order in which their hooks run', async () => {
    const files = {
      [OPTA]: { hooks: [{ event: 'tool.pre', command: 'true' }] },
      [USER]: before({ name: 'ours', run: 'true' }),
    };
    const order = async (dialects?: readonly string[]) => {
      const hooks = await ground(files).open({
        trust: { selfProtection: false },
        ...(dialects && { settings: { dialects } }),
      });
      const { runs } = await hooks.fire(shell('ls'));
      return [runs.map(({ hook }) => (hook.endsWith('#ours') ? 'ours' : 'opta')), hooks.problems];
    };
    expect(await order()).toEqual([['opta', 'ours'], []]);
    expect(await order(['anyhook', 'opta'])).toEqual([['ours', 'opta'], []]);
    expect(await order(['opta'])).toEqual([['opta'], []]);
    expect((await order(['optta']))[1]).toEqual([
      {
        code: 'unknown-dialect',
        file: '(dialects)',
        message: 'no dialect is called "optta".',
        remedy: 'Did you mean "opta"?',
        severity: 'error',
      },
    ]);
  });

  test('an order in a file moves hooks first and removes no guards', async () => {
    const { open } = ground({
      [OPTA]: { hooks: [{ event: 'tool.pre', command: 'true' }] },
      [USER]: { order: ['anyhook'], ...before({ name: 'ours', run: 'true' }) },
    });
    const hooks = await open({ trust: { selfProtection: false } });
    const { runs } = await hooks.fire(shell('ls'));
    expect(runs.map(({ hook }) => hook.split('#')[1])).toEqual(['ours', '1']);
  });

  test('settings: false reads no file, layers selects files, and hooks of the program always count', async () => {
    const files = {
      [USER]: before({ run: 'true' }),
      'project/.anyhook/hooks.json': before({ run: 'true' }),
    };
    const layers = async (settings: { layers: readonly ['user'] | readonly [] }) => {
      const hooks = await ground(files).open({
        settings: { ...settings, dialects: ['opta', 'anyhook'] },
        hooks: { 'tool.after': () => undefined },
        trust: { selfProtection: false },
      });
      return hooks.hooks.map(({ origin }) => origin.layer);
    };
    expect(await layers({ layers: [] })).toEqual(['session']);
    expect(await layers({ layers: ['user'] })).toEqual(['user', 'session']);
  });

  test('a hook in two layers runs once, under the stricter policy, and lists both locations', async () => {
    const { open, put } = ground({
      [USER]: before({ run: ['sh', '-c', 'echo x >> ran'], onFailure: 'allow' }),
    });
    put(
      'project/.anyhook/hooks.json',
      JSON.stringify(before({ run: ['sh', '-c', 'echo x >> ran'], onFailure: 'block' })),
    );
    const hooks = await open({ trust: { selfProtection: false } });
    expect(hooks.hooks.map(({ onFailure, also, origin }) => [onFailure, also?.length, origin.layer])).toEqual(
      [['block', 1, 'user']],
    );
  });

  test('journal: false writes nothing, a given folder is used, and secrets are not written', async () => {
    const { root, home, open } = ground({ [USER]: before({ run: 'true' }) });
    const silent = await open({ journal: false });
    await silent.fire(shell('ls'));
    expect(existsSync(join(home, '.local'))).toBe(false);
    const hooks = await open({ journal: { folder: join(root, 'audit'), secrets: ['hunter2-the-secret'] } });
    await hooks.fire(shell('login hunter2-the-secret'));
    const [file] = readdirSync(join(root, 'audit'));
    const text = readFileSync(join(root, 'audit', file!), 'utf8');
    expect([text.includes('login'), text.includes('hunter2')]).toEqual([true, false]);
  });

  test('a required journal that cannot be written refuses where possible, and warns', async () => {
    const { root, open, put } = ground({ [USER]: before({ run: 'true' }) });
    put('file', '');
    const warned: string[] = [];
    const services = { log: (_: string, message: string) => void warned.push(message) };
    const options = { services, journal: { folder: join(root, 'file', 'below') } };
    expect((await (await open(options)).fire(shell('ls'))).verdict).toBe('none');
    expect(warned.length).toBeGreaterThan(0);
    const required = await open({ ...options, journal: { ...options.journal, required: true } });
    const outcome = await required.fire(shell('ls'));
    expect([outcome.verdict, outcome.reasons.map(({ by, broken }) => [by, broken])]).toEqual([
      'deny',
      [['journal', true]],
    ]);
  });

  test('the program cannot override a file that requires the journal', async () => {
    const { home, open } = ground({ [USER]: { journal: { required: true }, ...before({ run: 'true' }) } });
    await (await open({ journal: false })).fire(shell('ls'));
    expect(existsSync(join(home, '.local/state/anyhook/journal'))).toBe(true);
    const folder = join(home, '.config/anyhook/hooks.json', 'below');
    const unwritten = await open({ journal: { required: false, folder } });
    expect((await unwritten.fire(shell('ls'))).verdict).toBe('deny');
  });

  test('shadow mode, for all hooks or one, decides and records without enforcing', async () => {
    const all = await ground({ [USER]: before({ run: 'exit 2' }) }).open({ limits: { shadow: true } });
    const outcome = await all.fire(shell('ls'));
    expect([outcome.verdict, outcome.runs.at(-1)?.ignored?.map(({ why }) => why)]).toEqual([
      'none',
      ['shadow'],
    ]);
    const one = await ground({
      [USER]: before({ run: 'exit 2', shadow: true }, { run: 'echo real >&2; exit 2' }),
    }).open();
    expect((await one.fire(shell('ls'))).reasons.map(({ text }) => text)).toEqual(['real']);
  });

  test('budgetMs limits a whole fire: late hooks fail, and late guards refuse', async () => {
    const { open } = ground({ [USER]: before({ run: 'sleep 30' }, { run: 'true' }) });
    const hooks = await open({ limits: { budgetMs: 300 }, trust: { selfProtection: false } });
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.runs[0]?.answer?.failed?.kind]).toEqual(['deny', 'timed-out']);
  });

  test('budgetMs of an event limits all hooks of that event', async () => {
    const { open } = ground({ [USER]: before({ run: 'sleep 30' }, { run: 'true' }) });
    const hooks = await open({ trust: { selfProtection: false } });
    const outcome = await hooks.fire({ ...shell('ls'), budgetMs: 300 });
    expect([outcome.verdict, outcome.runs[0]?.answer?.failed?.kind]).toEqual(['deny', 'timed-out']);
    await expect(hooks.fire({ ...shell('ls'), budgetMs: 0.5 })).rejects.toThrow(
      'hooks.fire: budgetMs is 0.5, a whole number of milliseconds is expected.',
    );
  });

  test('onStart, onEnd and onLate are called for every hook', async () => {
    const { open } = ground({
      [USER]: before({ name: 'waited', run: 'true' }, { name: 'later', run: 'echo', background: true }),
    });
    const heard: string[] = [];
    const late: Run[] = [];
    const name = (id: string) => id.split('#')[1]!;
    const hooks = await open({
      trust: { selfProtection: false },
      watch: {
        onStart: ({ id }) => heard.push(`start ${name(id)}`),
        onEnd: ({ id }) => heard.push(`end ${name(id)}`),
        onLate: (run) => late.push(run),
      },
    });
    await hooks.fire(shell('ls'));
    await until(() => late.length > 0);
    expect(heard.toSorted()).toEqual(['end later', 'end waited', 'start later', 'start waited']);
    expect(late.map(({ hook, answer }) => [name(hook), answer?.failed])).toEqual([['later', undefined]]);
  });
});
