/** G17: after any change of a settings file, a guard in it is either read or its loss is reported with a location. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDialect } from '../../src/dialects.ts';
import type { ConfigRead, Place } from '../../src/events/dialect.ts';
import { dice, mutated } from './random.ts';
import { control, counted, grouped, result, SEED } from './results.ts';

const FILES = counted(100_000);
const FOUND = join(import.meta.dirname, 'regressions/settings.json');

const GUARDS = ['guard-one', 'guard-two', 'guard-three'] as const;
const byGroup = ([first, second]: readonly [string, string]) =>
  JSON.stringify(
    {
      model: 'some-model',
      hooks: {
        [first]: [
          { hooks: [{ type: 'command', command: 'guard-one', timeout: 30 }] },
          { hooks: [{ type: 'command', command: 'guard-two --strict' }] },
        ],
        [second]: [{ hooks: [{ type: 'command', command: 'sh guard-three' }] }],
      },
    },
    null,
    2,
  );

/** A valid file of each dialect with three guards. */
const SOUND: Readonly<Record<string, { readonly file: string; readonly text: string }>> = {
  anyhook: {
    file: '/h/.config/anyhook/hooks.json',
    text: JSON.stringify(
      {
        hooks: {
          'tool.before': [
            { name: 'one', run: 'guard-one', onFailure: 'block' },
            { name: 'two', match: 'shell(rm *)', run: ['guard-two', '--strict'], timeoutMs: 5000 },
          ],
          'prompt.submit': [{ run: 'guard-three' }],
        },
      },
      null,
      2,
    ),
  },
  'claude-code': { file: '/h/.claude/settings.json', text: byGroup(['PreToolUse', 'UserPromptSubmit']) },
  codex: { file: '/h/.codex/hooks.json', text: byGroup(['PreToolUse', 'UserPromptSubmit']) },
  'gemini-cli': { file: '/h/.gemini/settings.json', text: byGroup(['BeforeTool', 'BeforeAgent']) },
  goose: { file: '/h/.config/goose/hooks.json', text: byGroup(['PreToolUse', 'UserPromptSubmit']) },
  'grok-build': { file: '/h/.grok/hooks/a.json', text: byGroup(['PreToolUse', 'UserPromptSubmit']) },
  'qwen-code': { file: '/h/.qwen/settings.json', text: byGroup(['PreToolUse', 'UserPromptSubmit']) },
  'copilot-cli': {
    file: '/h/.copilot/hooks/a.json',
    text: JSON.stringify(
      {
        version: 1,
        hooks: {
          preToolUse: [
            { type: 'command', bash: 'guard-one' },
            { type: 'command', bash: 'guard-two', timeoutSec: 5 },
          ],
          userPromptSubmitted: [{ type: 'command', bash: 'guard-three' }],
        },
      },
      null,
      2,
    ),
  },
  cursor: {
    file: '/h/.cursor/hooks.json',
    text: JSON.stringify(
      {
        version: 1,
        hooks: {
          preToolUse: [{ command: 'guard-one' }, { command: 'guard-two', timeout: 5 }],
          beforeSubmitPrompt: [{ command: 'guard-three' }],
        },
      },
      null,
      2,
    ),
  },
  'kimi-code': {
    file: '/h/.kimi-code/config.toml',
    text: [
      'default_model = "k"',
      '[[hooks]]\nevent = "PreToolUse"\ncommand = "guard-one"\ntimeout = 5',
      '[[hooks]]\nevent = "PreToolUse"\nmatcher = "Bash"\ncommand = "guard-two"',
      '[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "guard-three"\n',
    ].join('\n\n'),
  },
  opta: {
    file: '/h/.opta/config.json',
    text: JSON.stringify(
      {
        model: 'm',
        hooks: [
          { event: 'tool.pre', command: 'guard-one' },
          { event: 'tool.pre', matcher: 'edit_file', command: 'guard-two', timeout: 5000 },
          { event: 'session.start', command: 'guard-three' },
        ],
      },
      null,
      2,
    ),
  },
  opencode: {
    file: '/h/.config/opencode/opencode.json',
    text: JSON.stringify(
      {
        plugin: ['./guard-one.ts'],
        experimental: {
          hook: {
            file_edited: { '*.ts': [{ command: ['guard-two', '{file}'] }] },
            session_completed: [{ command: ['guard-three'], environment: { A: 'b' } }],
          },
        },
      },
      null,
      2,
    ),
  },
  'oh-my-pi': {
    file: '/h/.pi/agent/settings.json',
    text: JSON.stringify(
      { theme: 'dark', packages: ['npm:guard-one'], extensions: ['./guard-two.ts', './guard-three.ts'] },
      null,
      2,
    ),
  },
};
const NAMES = Object.keys(SOUND);
const PIECES = [
  '"hooks"',
  '"hook"',
  '"Hooks"',
  '"PreToolUse"',
  '"matcher"',
  '"command"',
  '"off": true,',
  '{}',
  '[]',
];

type ReadSettings = (dialect: string, text: string) => ConfigRead;
const read: ReadSettings = (name, text) => {
  const place: Place = { layer: 'user', file: SOUND[name]!.file };
  return findDialect(name)!.config.read(text, place);
};

/** A hook text that moved into other settings of the agent, or behind a disabling prefix, is not a hook. */
const ELSEWHERE = /"(?:theme|model)"\s*:\s*"[^"\n]*"|default_model\s*=\s*"[^"\n]*"|"-[^"\n]*"/g;
/** Text in a comment was disabled deliberately. */
const uncommented = (name: string, text: string): string =>
  withoutComments(name, text).replaceAll(ELSEWHERE, '');
const withoutComments = (name: string, text: string): string =>
  name === 'kimi-code'
    ? text.replaceAll(/#.*/g, '')
    : text.replaceAll(
        /("(?:[^"\\\n]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g,
        (_, said: string | undefined) => said ?? '',
      );

type Fault = 'crash' | 'lost guard' | 'problem without a place';
function faultOf(name: string, text: string, reader: ReadSettings): Fault | undefined {
  let settings: ConfigRead;
  try {
    settings = reader(name, text);
  } catch {
    return 'crash';
  }
  const { hooks, modules, problems } = settings;
  if (problems.some(({ file, line }) => file === '' || line === undefined)) return 'problem without a place';
  if (problems.length > 0) return undefined;
  const kept = JSON.stringify([hooks, modules]);
  const there = uncommented(name, text);
  return GUARDS.some((guard) => there.includes(guard) && !kept.includes(guard)) ? 'lost guard' : undefined;
}

interface Finding {
  readonly fault: Fault;
  readonly dialect: string;
  readonly text: string;
}
function hunt(runs: number, seed: number, reader: ReadSettings): Finding[] {
  const chance = dice(seed);
  return Array.from({ length: runs }, (_, i): Finding | undefined => {
    const dialect = NAMES[i % NAMES.length]!;
    let { text } = SOUND[dialect]!;
    for (let steps = 1 + chance.below(4); steps > 0; steps--) text = mutated(text, PIECES, chance);
    const fault = faultOf(dialect, text, reader);
    return fault === undefined ? undefined : { fault, dialect, text };
  }).filter((one) => one !== undefined);
}

test('the valid files contain their guards without problems', () => {
  const wrong = NAMES.filter((name) => {
    const { hooks, modules, problems } = read(name, SOUND[name]!.text);
    return problems.length > 0 || !GUARDS.every((guard) => JSON.stringify([hooks, modules]).includes(guard));
  });
  expect(wrong).toEqual([]);
});

test(`${grouped(FILES)} mutated settings files of ${NAMES.length} dialects lose no guard without a report`, () => {
  const findings = hunt(FILES, SEED, read);
  if (findings.length > 0)
    writeFileSync(`${FOUND}.new`, `${JSON.stringify(findings.slice(0, 50), null, 1)}\n`);
  const of = (fault: Fault) => findings.filter((one) => one.fault === fault).length;
  result(
    'G17',
    `${grouped(FILES)} mutated settings files of ${NAMES.length} dialects, seed ${SEED}`,
    `${of('lost guard')} guards lost without a problem, ${of('crash')} crashes, ${of('problem without a place')} problems without a place`,
  );
  expect(findings.slice(0, 5)).toEqual([]);
});

test('files that once lost a guard silently are now reported', () => {
  const kept = JSON.parse(readFileSync(FOUND, 'utf8')) as (Finding & { name: string })[];
  expect(kept.filter(({ dialect, text }) => faultOf(dialect, text, read) !== undefined)).toEqual([]);
});

test('control: a reader that ignores unknown content loses guards, and this test finds them', () => {
  const careless: ReadSettings = (name, text) => ({ ...read(name, text), problems: [] });
  const lost = hunt(5_000, SEED, careless).filter(({ fault }) => fault === 'lost guard').length;
  control(
    'G17',
    'a reader that leaves what it does not know',
    `${grouped(lost)} of 5,000 files lost a guard in silence`,
  );
  expect(lost).toBeGreaterThan(0);
});
