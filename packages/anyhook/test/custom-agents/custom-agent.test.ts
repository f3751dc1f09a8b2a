/** An agent that no record here knows: installed by likeness, believed to refuse and nothing else, then measured. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CELLS } from '../../src/agents/shared/cells.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { deepTest } from '../deep.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const STRANGE = fileURLToPath(new URL('fixtures/strange-agent.mjs', import.meta.url));
const PERSON = fileURLToPath(new URL('../person.sh', import.meta.url));
const LONG_MS = 600_000;

/** Everything that can be obeyed, in the agent's own words. */
const OBEYED = {
  'session.start context': 'SessionStart context',
  'prompt.submit deny': 'UserPromptSubmit refusal',
  'prompt.submit context': 'UserPromptSubmit context',
  'tool.before deny': 'PreToolUse refusal',
  'tool.before set': 'PreToolUse change',
  'tool.before context': 'PreToolUse context',
  'tool.after set': 'PostToolUse change',
  'tool.after context': 'PostToolUse context',
  'turn.stop resume': 'Stop refusal',
} as const satisfies Record<(typeof CELLS)[number], string>;
type Cell = keyof typeof OBEYED;

let root = '';
const at = (...path: string[]) => join(root, ...path);
const text = (...path: string[]) => readFileSync(at(...path), 'utf8');
function put(path: string, content: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')));
  mkdirSync(at('project'));
  put('bin/strange', `#!/bin/sh\nexec '${process.execPath}' '${STRANGE}' "$@"\n`);
  chmodSync(at('bin/strange'), 0o755);
  put('home/.config/anyhook/hooks.json', '{ "engine": "off" }\n');
});
afterEach(() => removeTree(root));

interface Spoken {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
function run(
  words: readonly string[],
  { input = '', env = {} }: { input?: string; env?: object } = {},
): Spoken {
  const [program = '', ...rest] = words;
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: at('project'),
    env: { PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: at('home'), ...env },
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
const anyhook = (...words: string[]) => run([process.execPath, CLI, ...words]);
/** What takes a bridge away is for a person. */
const byPerson = (...words: string[]) => run([PERSON, process.execPath, CLI, ...words]);

const SETTINGS = '~/.strange/settings.json';
const install = (...words: string[]) =>
  anyhook('install', 'strange', '--like', 'claude-code', '--into', SETTINGS, ...words);
/** An agent that obeys these. */
const startFor = (cells: readonly Cell[]) =>
  `STRANGE="${cells.map((cell) => OBEYED[cell]).join(',')}" strange -p "$PROMPT"`;
const only = (obeyed: readonly Cell[]) =>
  Object.fromEntries(CELLS.map((cell) => [cell, obeyed.includes(cell)]));
const probed = () => {
  const { stdout, stderr, status } = anyhook('doctor', '--probe', 'strange', '--json');
  const [found] = (JSON.parse(stdout || '{}') as { probe?: Record<string, unknown>[] }).probe ?? [];
  return { status, found, stderr };
};
/** What an event of the agent is answered with, by the very line that stands in its settings. */
function asked(event: string, fields: object): Spoken {
  const { hooks } = JSON.parse(text('home/.strange/settings.json')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const line = hooks[event]![0]!.hooks[0]!.command;
  const input = JSON.stringify({ hook_event_name: event, session_id: 's', cwd: at('project'), ...fields });
  return run(['/bin/sh', '-c', line], { input });
}
const CALL = { tool_name: 'Bash', tool_input: { command: 'touch before' } };
const REWRITE = JSON.stringify({
  daemon: 'off',
  hooks: {
    'tool.before': [
      {
        name: 'rewrite',
        run: `echo '{"effects":[{"kind":"set","at":["input","command"],"to":"touch after"}]}'`,
      },
    ],
  },
});

describe('an unknown agent', () => {
  test('is installed by likeness into its own file, listed by the doctor, and taken back byte for byte', () => {
    const before = '{\n  // mine\n  "theme": "dark"\n}\n';
    put('home/.strange/settings.json', before);
    const installed = install();
    expect([installed.status, installed.stderr]).toEqual([0, '']);
    expect(installed.stdout).toContain('anyhook assumes that it can only refuse');
    expect(text('home/.strange/settings.json')).toContain('anyhook-client strange ');
    const { hosts } = JSON.parse(anyhook('doctor', '--json').stdout) as {
      hosts: { agent: string; version: string; bridge: { scope: string; isCurrent: boolean }[] }[];
    };
    expect(hosts.find(({ agent }) => agent === 'strange')).toMatchObject({
      version: '0.3.1',
      bridge: [{ scope: 'user', isCurrent: true }],
    });
    expect(byPerson('uninstall', 'strange').status).toBe(0);
    expect(text('home/.strange/settings.json')).toBe(before);
    expect(existsSync(at('home/.local/share/anyhook/agents'))).toBe(false);
    expect(anyhook('uninstall', 'strange').stderr).toContain('unknown agent "strange"');
  });

  test('can only refuse until it was measured: a change of a call is a refusal, and its reason says so', () => {
    put('home/.config/anyhook/hooks.json', REWRITE);
    install();
    const { status, stderr } = asked('PreToolUse', CALL);
    expect(status).toBe(2);
    expect(stderr).toContain('this host cannot change input.command');
  });

  test(
    'is measured, and does from then on what was seen: words by one way and not by the other, and no change',
    () => {
      const obeyed = ['prompt.submit context', 'tool.before deny', 'turn.stop resume'] as const;
      install('--start', startFor(obeyed));
      const { found, stderr } = probed();
      expect(found, `${stderr}${JSON.stringify(found)}`).toMatchObject({
        agent: 'strange',
        verdict: 'enforced',
        measured: only(obeyed),
      });
      put('home/.config/anyhook/hooks.json', REWRITE);
      expect(asked('PreToolUse', CALL).status).toBe(2);
    },
    LONG_MS,
  );

  test(
    'that calls its tools otherwise is measured with guards as users write them, and each of them holds',
    () => {
      install('--start', `STRANGE_TOOLS=droid ${startFor(['tool.before deny'])}`);
      const { found, stderr } = probed();
      expect(found, `${stderr}${JSON.stringify(found)}`).toMatchObject({
        verdict: 'enforced',
        guards: [
          { match: 'shell(touch by-shell)', verdict: 'holds' },
          { match: 'Bash(touch by-bash)', verdict: 'holds' },
          { match: 'write(by-write)', verdict: 'holds' },
        ],
      });
      expect(stderr).toContain('Probing strange: up to six runs of `STRANGE_TOOLS=droid');
    },
    LONG_MS,
  );

  test(
    'whose shell is not recognised is not called enforced: the result says that only guards without "match" hold',
    () => {
      install('--start', `STRANGE_TOOLS=odd ${startFor(['tool.before deny'])}`);
      expect(probed()).toMatchObject({
        status: 1,
        found: {
          verdict: 'not-enforced',
          why: 'only guards without "match" hold: "shell(…)" did not fit its tool exec_zap(input)',
        },
      });
    },
    LONG_MS,
  );

  test(
    'that does not start as the one that it is like says how it was started and how to say otherwise',
    () => {
      put('bin/strange', '#!/bin/sh\necho "unknown option -p"; exit 64\n');
      install();
      const { found, stderr } = probed();
      expect(stderr).toContain('It is started like Claude Code. If that is wrong: anyhook install strange');
      expect(found).toMatchObject({ verdict: 'could-not-run' });
      expect(String(found?.['why'])).toContain("--start '<command line");
    },
    LONG_MS,
  );

  deepTest(
    'is measured again after it has updated itself: what it does not obey any more is forgotten',
    () => {
      install('--start', startFor(CELLS));
      const { found } = probed();
      expect(found, JSON.stringify(found)).toMatchObject({ verdict: 'enforced', measured: only(CELLS) });
      put('home/.config/anyhook/hooks.json', REWRITE);
      const { status, stdout } = asked('PreToolUse', CALL);
      expect([status, stdout]).toEqual([
        0,
        expect.stringContaining('"updatedInput":{"command":"touch after"}'),
      ]);
      put('bin/strange', `#!/bin/sh\nSTRANGE= exec '${process.execPath}' '${STRANGE}' "$@"\n`);
      expect(probed()).toMatchObject({
        status: 1,
        found: { verdict: 'not-enforced', why: 'our guard refused, and the command ran' },
      });
      expect(text('home/.local/share/anyhook/agents/strange.json')).not.toContain('measured');
      expect(asked('PreToolUse', CALL).status).toBe(2);
    },
    LONG_MS,
  );

  test('cannot write to the file that leads to us', () => {
    install();
    put(
      'home/.config/anyhook/hooks.json',
      '{ "engine": "off", "hooks": { "tool.before": [{ "name": "mine", "run": "true" }] } }',
    );
    const { status, stderr } = asked('PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: at('home/.strange/settings.json'), content: '{}' },
    });
    expect(status).toBe(2);
    expect(stderr).toContain('.strange/settings.json');
  });
});

test.each<readonly [string, readonly string[], string]>([
  ['half of the words', ['strange', '--like', 'claude-code'], 'use --like and --into together'],
  [
    'a name of ours',
    ['codex', '--like', 'claude-code', '--into', SETTINGS],
    'Codex CLI is known here: anyhook install codex',
  ],
  ['likeness to nobody', ['strange', '--like', 'nobody', '--into', SETTINGS], 'unknown agent "nobody"'],
  [
    'likeness to a bridge of two files',
    ['strange', '--like', 'goose', '--into', SETTINGS],
    'more than one file',
  ],
  [
    'a name that is no word',
    ['../x', '--like', 'claude-code', '--into', SETTINGS],
    'the name of the agent is missing or invalid',
  ],
  [
    'a folder of executables',
    ['strange', '--like', 'claude-code', '--into', '../project'],
    'Agents with one executable per event (such as Cline) are not supported by --like yet',
  ],
  [
    'a module for an agent with a settings file',
    ['strange', '--like', 'claude-code', '--into', '~/.strange/plugin.js'],
    '--like opencode --into',
  ],
  [
    'a settings file for an agent that loads modules',
    ['strange', '--like', 'opencode', '--into', SETTINGS],
    'hooks of OpenCode are modules',
  ],
  [
    'a project',
    ['strange', '--like', 'claude-code', '--into', SETTINGS, '--project'],
    '--project cannot be combined with --like',
  ],
])('an install with %s is refused in a sentence, and nothing is written', (_, words, sentence) => {
  const { status, stderr } = anyhook('install', ...words);
  expect([status, stderr.split('\n').length]).toEqual([2, 2]);
  expect(stderr).toContain(sentence);
  expect([existsSync(at('home/.strange')), existsSync(at('home/.local/share/anyhook/agents'))]).toEqual([
    false,
    false,
  ]);
});

test('an install into a file with events at its root is refused, and the file stays as it was', () => {
  const before = '{ "PreToolUse": [{ "hooks": [] }] }\n';
  put('home/.strange/settings.json', before);
  const { status, stderr } = install();
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('has "PreToolUse" at its root, not under "hooks"'),
  ]);
  expect(text('home/.strange/settings.json')).toBe(before);
});

test('the version is that of the program which the command line starts, not of its first word', () => {
  install('--start', 'cd . && KEY=1 strange -p "$PROMPT"');
  const { hosts } = JSON.parse(anyhook('doctor', '--json').stdout) as { hosts: Record<string, unknown>[] };
  expect(hosts.find(({ agent }) => agent === 'strange')).toMatchObject({ version: '0.3.1' });
});

test('the name is that of the folder of its settings, where none is given', () => {
  expect(anyhook('install', '--like', 'claude-code', '--into', SETTINGS).status).toBe(0);
  expect(JSON.parse(text('home/.local/share/anyhook/agents/strange.json'))).toEqual({
    name: 'strange',
    like: 'claude-code',
    into: SETTINGS,
  });
});

test('what is kept of it and cannot be read is believed nothing', () => {
  install();
  put('home/.config/anyhook/hooks.json', REWRITE);
  put(
    'home/.local/share/anyhook/agents/strange.json',
    '{"name":"strange","like":"claude-code","into":"~/.strange/settings.json","measured":{"on":"x","cells":{}}}',
  );
  expect(asked('PreToolUse', CALL).status).toBe(2);
});
