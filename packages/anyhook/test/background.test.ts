/**
 * Background hooks finish, are recorded and deliver their output after the program that started them has exited. Runs
 * the built package.
 */

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { verify } from '../src/journal/index.ts';
import { removeTree } from '../src/settings/remove-tree.ts';
import { lacks } from './programs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const INDEX = new URL('../dist/index.js', import.meta.url).href;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-background-')));
afterAll(() => removeTree(root));

class World {
  readonly home = mkdtempSync(join(root, 'home-'));
  readonly project = mkdtempSync(join(root, 'project-'));
  put(path: string, content: object | string): string {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 });
    return file;
  }
  run(args: readonly string[], input = '') {
    const env = { ...process.env, HOME: this.home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
    const { stdout, stderr, status } = spawnSync(process.execPath, [CLI, ...args], {
      cwd: this.project,
      env,
      input,
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  }
  claude(event: string, more: object = {}) {
    const payload = { hook_event_name: event, session_id: 's1', cwd: this.project, ...more };
    return this.run(['fire', '--as', 'claude-code'], JSON.stringify(payload));
  }
  opta(event: string, more: object = {}) {
    const payload = { event, session_id: 's1', cwd: this.project, ...more };
    return this.run(['fire', '--as', 'opta'], JSON.stringify(payload));
  }
  get journal(): string {
    return join(this.home, '.local/state/anyhook/journal');
  }
  records(): { readonly late?: true; readonly hooks?: readonly Record<string, unknown>[] }[] {
    return readdirSync(this.journal).flatMap((name) =>
      readFileSync(join(this.journal, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }
  async ended(count = 1): Promise<void> {
    while (this.records().filter(({ late }) => late === true).length < count) await pause(25);
  }
  isSound(): boolean {
    const heads = join(this.home, '.local/share/anyhook/heads');
    return readdirSync(this.journal).every(
      (name) => verify(join(this.journal, name), join(heads, name.replace(/jsonl$/, 'head'))).ok,
    );
  }
}

const AFTER = (command: string, more: object = {}) => ({
  hooks: { PostToolUse: [{ hooks: [{ type: 'command', command, async: true, ...more }] }] },
});
const DONE = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: { stdout: '' } };

describe('a background hook that `fire` has started', () => {
  test('a background hook outlives `fire`, is recorded, and `why --last` and `list` show how it ended', async () => {
    const world = new World();
    const made = join(world.home, 'made');
    const go = join(world.home, 'go');
    const wait = `sleep 1; while [ ! -e ${go} ]; do sleep 0.1; done`;
    world.put('.claude/settings.json', AFTER(`${wait}; echo x > ${made}`));
    world.claude('PostToolUse', DONE);
    expect(existsSync(made)).toBe(false);
    expect(world.run(['why', '--last']).stdout).toContain('started in the background, no end recorded yet');
    writeFileSync(go, '');
    await world.ended();
    expect(readFileSync(made, 'utf8')).toBe('x\n');
    const why = world.run(['why', '--last']);
    expect([why.status, why.stdout]).toEqual([
      0,
      expect.stringMatching(/ran in the background, exit 0, \d+(\.\d+)? s/),
    ]);
    expect(why.stdout).not.toContain('not run');
    expect(world.run(['list']).stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /ran in the background, exit 0, \d+(\.\d+)? s/,
    );
    expect(world.isSound()).toBe(true);
  });

  test('a background hook delivers its output with the next event of its session, in another process, exactly once', async () => {
    const world = new World();
    const said = {
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'two tests fail' },
    };
    world.put('.claude/settings.json', AFTER(`sleep 0.3; echo '${JSON.stringify(said)}'`));
    // The cached result for prompts is "no hooks". Waiting output must invalidate it.
    world.claude('UserPromptSubmit', { prompt: 'a' });
    world.claude('PostToolUse', DONE);
    await world.ended();
    const other = world.claude('UserPromptSubmit', { session_id: 's2', prompt: 'b' });
    const next = world.claude('UserPromptSubmit', { prompt: 'c' });
    const after = world.claude('UserPromptSubmit', { prompt: 'd' });
    expect([other, next, after].map(({ stdout }) => stdout.includes('two tests fail'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(world.isSound()).toBe(true);
  });

  test('a background hook that ended before `fire` delivers its output with the event and is recorded once', async () => {
    const world = new World();
    const said = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'quick' } };
    world.put('.claude/settings.json', {
      hooks: {
        PostToolUse: [
          {
            hooks: [
              { type: 'command', command: `echo '${JSON.stringify(said)}'`, async: true },
              { type: 'command', command: 'sleep 1' },
            ],
          },
        ],
      },
    });
    const told = [world.claude('PostToolUse', DONE), world.claude('UserPromptSubmit', { prompt: 'c' })];
    expect(told.map(({ stdout }) => stdout.includes('quick'))).toEqual([true, false]);
    expect(world.records().filter(({ late }) => late === true)).toHaveLength(1);
  });

  test('a background hook is ended with all its children at its timeout, and the record says so', async () => {
    const world = new World();
    const tag = `tag-${process.pid}-${Date.now()}`;
    world.put('.config/opta/config.json', {
      hooks: [
        {
          event: 'tool.post',
          background: true,
          timeout: 500,
          command: `TAG=${tag} sh -c 'setsid sleep 300 & sleep 300'`,
        },
      ],
    });
    world.opta('tool.post', { tool_name: 'edit_file', tool_args: '{"path":"a.ts"}' });
    await world.ended();
    const [late] = world.records().filter((one) => one.late === true);
    expect(late!.hooks![0]).toMatchObject({ failed: { kind: 'timed-out' }, failedOpen: true });
    const left = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(tag);
        } catch {
          return false;
        }
      });
    expect(left()).toEqual([]);
  });

  test('a background hook keeps output up to the limit only', async () => {
    const world = new World();
    world.put('.config/opta/config.json', {
      hooks: [{ event: 'tool.post', background: true, command: 'head -c 3000000 /dev/zero | tr "\\0" x' }],
    });
    world.opta('tool.post', { tool_name: 'edit_file', tool_args: '{}' });
    await world.ended();
    const [late] = world.records().filter((one) => one.late === true);
    expect(late!.hooks![0]).toMatchObject({
      code: 0,
      notes: { truncated: { stdout: 3_000_000 - 1_048_576 } },
    });
  });

  test('background hooks that end at the same time are all recorded with valid chains', async () => {
    const world = new World();
    const hook = { event: 'tool.post', background: true, command: 'sleep 0.3; exit 3' };
    world.put('.config/opta/config.json', {
      hooks: [1, 2, 3].map((n) => ({ ...hook, command: `: ${n}; ${hook.command}` })),
    });
    world.opta('tool.post', { tool_name: 'edit_file', tool_args: '{}' });
    world.opta('tool.post', { tool_name: 'edit_file', tool_args: '{}' });
    await world.ended(6);
    expect(
      world.records().flatMap(({ late, hooks = [] }) => (late ? hooks.map(({ code }) => code) : [])),
    ).toEqual(Array(6).fill(3));
    expect(world.isSound()).toBe(true);
  });
});

test('a background hook of an exited program finishes, is recorded, and leaves its output for the session', async () => {
  const world = new World();
  const go = join(world.home, 'go');
  const said = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'two tests fail' } };
  const command = `while [ ! -e ${go} ]; do sleep 0.1; done; echo '${JSON.stringify(said)}'`;
  world.put('.claude/settings.json', AFTER(command));
  const program = world.put(
    'program.mjs',
    `import { createHooks } from ${JSON.stringify(INDEX)};
     const hooks = await createHooks({
       host: { name: 'claude-code', can: { 'tool.after': { context: 'full' } } }, sessionStore: 'file',
       home: ${JSON.stringify(world.home)}, cwd: ${JSON.stringify(world.project)},
     });
     const payload = { tool: 'shell', input: { command: 'ls' }, content: [] };
     await hooks.fire({ name: 'tool.after', payload, ids: { session: 's1' } });
     process.exit(0);`,
  );
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  writeFileSync(go, '');
  await world.ended();
  expect(world.claude('UserPromptSubmit', { prompt: 'c' }).stdout).toContain('two tests fail');
  expect(world.run(['why', '--last', 'tool.after']).stdout).toMatch(/ran in the background, exit 0, \d/);
  expect(world.isSound()).toBe(true);
});

test.skipIf(lacks('jq'))(
  'a hook about several acts of one call runs for each of them, and each end is recorded by itself',
  async () => {
    const world = new World();
    const note = join(world.home, 'note');
    const patch = [
      '*** Begin Patch',
      '*** Add File: a.txt',
      '+a',
      '*** Add File: b.txt',
      '+b',
      '*** End Patch',
    ];
    world.put('.claude/settings.json', {
      hooks: {
        PostToolUse: [
          {
            matcher: 'Write',
            hooks: [
              {
                type: 'command',
                command: `sleep 0.5; jq -r .tool_input.file_path >> ${note}`,
                async: true,
              },
            ],
          },
        ],
      },
    });
    const payload = {
      hook_event_name: 'PostToolUse',
      session_id: 's1',
      cwd: world.project,
      tool_name: 'apply_patch',
      tool_input: { command: patch.join('\n') },
      tool_response: 'done',
    };
    world.run(['fire', '--as', 'codex'], JSON.stringify(payload));
    await world.ended(2);
    expect(readFileSync(note, 'utf8').trim().split('\n').toSorted()).toEqual(
      ['a.txt', 'b.txt'].map((name) => join(world.project, name)),
    );
    const keys = world
      .records()
      .flatMap(({ late, hooks = [] }) => (late === true ? hooks.map((one) => one['late']) : []));
    expect(new Set(keys).size).toBe(2);
    expect(world.run(['why', '--last']).stdout.match(/ran in the background, exit 0/g)).toHaveLength(2);
    expect(world.isSound()).toBe(true);
  },
);

test('the commands in OpenCode settings finish in the background and are recorded', async () => {
  const world = new World();
  const made = join(world.home, 'made');
  world.put('.config/opencode/opencode.json', {
    experimental: { hook: { session_completed: [{ command: ['sh', '-c', `sleep 0.5; echo x > ${made}`] }] } },
  });
  const payload = { type: 'session.idle', properties: { sessionID: 's1' } };
  world.run(['fire', '--as', 'opencode', 'event'], JSON.stringify({ event: payload }));
  await world.ended();
  expect(readFileSync(made, 'utf8')).toBe('x\n');
});
