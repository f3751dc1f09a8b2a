/** Background hooks started by `anyhook-agent -p` keep running after the agent exits. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeTree } from '../../anyhook/src/settings/remove-tree.ts';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const AGENT = pathOf('../dist/main.js');
const ANYHOOK = pathOf('../../anyhook/dist/bin/anyhook.cjs');
const SCRIPTS = pathOf('../../../examples/opta/.opta/hooks');

let ground = '';
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'agent-background-'));
  for (const name of ['home', 'project', 'bin']) mkdirSync(join(ground, name));
});
afterEach(() => removeTree(ground));

function put(path: string, content: object | string): string {
  const file = join(ground, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 });
  return file;
}
function run(program: string, ...args: string[]): string {
  const env = {
    PATH: `${join(ground, 'bin')}:${process.env['PATH']}`,
    HOME: join(ground, 'home'),
    NO_COLOR: '1',
  };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
    cwd: join(ground, 'project'),
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout;
}
const agent = (steps: readonly object[], ...args: string[]): string =>
  run(AGENT, '-p', '--permission', 'allow', '--model', `scripted:${put('script.json', steps)}`, ...args);

interface Line {
  readonly late?: true;
  readonly hooks?: readonly Record<string, unknown>[];
}
function records(): Line[] {
  const folder = join(ground, 'home/.local/state/anyhook/journal');
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  );
}
async function ended(): Promise<readonly Record<string, unknown>[]> {
  for (;;) {
    const late = records().filter((line) => line.late === true);
    if (late.length > 0) return late.flatMap(({ hooks = [] }) => hooks);
    await pause(25);
  }
}
const WRITE = [
  { text: 'I write.', calls: [{ tool: 'write', input: { path: 'a.ts', content: 'x' } }] },
  { text: 'Done.' },
];
const untilThere = (file: string) => `while [ ! -e ${file} ]; do sleep 0.1; done`;

describe('background hooks after the agent exits', () => {
  test('a background hook of Claude Code finishes and is recorded, and its output reaches the resumed session', async () => {
    const go = join(ground, 'go');
    const said = {
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'two tests fail' },
    };
    const command = `${untilThere(go)}; echo '${JSON.stringify(said)}'`;
    put('home/.claude/settings.json', {
      hooks: { PostToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command, async: true }] }] },
    });
    expect(agent(WRITE, 'write it')).toBe('I write.\nDone.\n');
    writeFileSync(go, '');
    expect(await ended()).toMatchObject([{ code: 0 }]);
    const next = [{ when: { lastIncludes: 'two tests fail' }, text: 'I heard it.' }];
    expect(agent(next, '--continue', 'go on')).toBe('I heard it.\n');
  });

  test('the auto-test.sh of the Opta document runs the tests in the background, and `why` and `list` show how it ended', async () => {
    const go = join(ground, 'go');
    const told = join(ground, 'told');
    put('bin/npm', `#!/bin/sh\n${untilThere(go)}\necho "$@" > ${told}\n`);
    cpSync(SCRIPTS, join(ground, 'home/hooks'), { recursive: true });
    const command = join(ground, 'home/hooks/auto-test.sh');
    put('home/.config/opta/config.json', {
      hooks: [{ event: 'tool.post', matcher: 'edit_file|write_file', command, background: true }],
    });
    agent(WRITE, 'write it');
    writeFileSync(go, '');
    expect(await ended()).toMatchObject([{ code: 0 }]);
    expect(readFileSync(told, 'utf8')).toBe('test -- --run --reporter=dot\n');
    const ran = /ran in the background, exit 0, \d+(\.\d+)? m?s/;
    expect(run(ANYHOOK, 'why', '--last', 'tool.after')).toMatch(ran);
    expect(run(ANYHOOK, 'list').replaceAll(/\s+/g, ' ')).toMatch(ran);
  });

  test('the commands in OpenCode settings finish after the agent exits', async () => {
    const go = join(ground, 'go');
    const told = join(ground, 'told');
    const format = `${untilThere(go)}; echo "$1" > ${told}`;
    put('home/.config/opencode/opencode.json', {
      experimental: {
        hook: { file_edited: { '*.ts': [{ command: ['sh', '-c', format, 'sh', '{file}'] }] } },
      },
    });
    agent(WRITE, 'write it');
    writeFileSync(go, '');
    expect(await ended()).toMatchObject([{ code: 0 }]);
    expect(readFileSync(told, 'utf8')).toBe(`${join(ground, 'project/a.ts')}\n`);
  });
});
