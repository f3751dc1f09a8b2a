/** Known ways in which hooks fail, in every dialect: the result, the report, and both failure modes. */

import { describe, expect, test } from 'vitest';
import { DIALECTS, findDialect } from '../../src/dialects.ts';
import { makeEngine } from '../../src/engine/engine.ts';
import type { FailureKind, Reply } from '../../src/events/exchange.ts';
import type { Hook, OnFailure } from '../../src/events/hook.ts';
import type { Ruling } from '../../src/events/outcome.ts';
import { result } from './results.ts';
import { type Seat, SEATS } from './seats.ts';

const GUARDS = SEATS.filter(({ about }) => about.name === 'tool.before').filter(
  ({ dialect }, at, all) => all.findIndex((one) => one.dialect === dialect) === at,
);
const isCall = ({ hook }: Seat): boolean => hook.run.kind === 'call';

const exited = (code: number, stdout = '', stderr = ''): Reply => ({ kind: 'exited', code, stdout, stderr });
const broken = (kind: FailureKind, detail: string): Reply => ({ kind: 'broken', why: { kind, detail } });
const threw = (message: string): Reply => ({ kind: 'threw', message, args: [] });

interface Shape {
  readonly group: string;
  readonly name: string;
  /** The reply of a command. A function has no exit code and prints nothing. */
  readonly command: Reply;
  readonly call?: Reply;
}
const shape = (group: string, name: string, command: Reply, call?: Reply): Shape => ({
  group,
  name,
  command,
  ...(call && { call }),
});
const UNSTARTED = 'cannot start';
const BREAKS = 'starts and breaks';
const ENDLESS = 'never ends';
const BADLY = 'answers badly';

/** Failures of the hook, none of which may count as consent. */
const FAILURES: readonly Shape[] = [
  shape(UNSTARTED, 'file missing', broken('not-started', 'no such program: /h/guard')),
  shape(UNSTARTED, 'no exec bit', exited(126, '', 'permission denied')),
  shape(UNSTARTED, 'command not found', exited(127, '', 'guard: not found')),
  shape(UNSTARTED, 'wrong interpreter', broken('not-started', 'bad interpreter')),
  shape(UNSTARTED, 'relative path and another folder', exited(127, '', './guard.sh: not found')),
  shape(UNSTARTED, 'path with spaces', exited(127, '', '/h/my: not found')),
  shape(UNSTARTED, 'PATH of an agent started from a desktop', exited(127, '', 'env: node: not found')),
  shape(BREAKS, 'exit 1', exited(1), threw('exit 1')),
  shape(
    BREAKS,
    'a crash with text on stderr',
    exited(1, '', 'Traceback (most recent call last)'),
    threw('boom'),
  ),
  shape(BREAKS, 'killed by a signal', broken('killed', 'SIGKILL'), broken('killed', 'SIGKILL')),
  shape(BREAKS, 'throws', exited(255, '', 'uncaught'), threw('uncaught')),
  shape(
    BREAKS,
    'module import fails',
    broken('not-loaded', 'cannot find module x'),
    broken('not-loaded', 'cannot find x'),
  ),
  shape(
    BREAKS,
    'syntax error in its file',
    broken('not-loaded', 'unexpected token'),
    broken('not-loaded', 'unexpected token'),
  ),
  shape(ENDLESS, 'hangs', broken('timed-out', 'after 60000 ms'), broken('timed-out', 'after 60000 ms')),
  shape(ENDLESS, 'hangs while reading', broken('timed-out', 'after 60000 ms')),
  shape(ENDLESS, '10 MB of output', broken('unreadable', 'printed without end')),
  shape(
    ENDLESS,
    'the time of the event was used up',
    broken('no-time', 'used up'),
    broken('no-time', 'used up'),
  ),
  shape(BADLY, 'half a document', exited(0, '{"decision":"deny"')),
  shape(BADLY, 'two documents', exited(0, '{"decision":"allow"}{"decision":"allow"}')),
  shape(BADLY, 'one key twice', exited(0, '{"decision":"block","decision":"allow"}')),
];

/** Refusals, in whichever way a dialect expresses them. */
const refusalIn = ({ dialect }: Seat): Reply | undefined =>
  [
    exited(0, '{"decision":"deny","reason":"no"}'),
    exited(0, '{"decision":"block","reason":"no"}'),
    exited(
      0,
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
    ),
    exited(0, '{"permissionDecision":"deny","permissionDecisionReason":"no"}'),
  ].find((reply) => {
    const seat = GUARDS.find((one) => one.dialect === dialect)!;
    return dialect.output.read(reply, seat.about, seat.hook).effects.some(({ kind }) => kind === 'deny');
  });

async function cameTo({ dialect, hook, about }: Seat, reply: Reply, onFailure: OnFailure): Promise<Ruling> {
  const hooks: readonly Hook[] = [{ ...hook, match: { kind: 'any' }, onFailure }];
  return (await makeEngine({ dialects: [dialect], hooks, services: {}, run: () => reply }).fire(
    about,
  )) as Ruling;
}
const replyOf = (seat: Seat, { command, call }: Shape): Reply | undefined => (isCall(seat) ? call : command);

describe.each(GUARDS.map((seat) => [seat.dialect.name, seat] as const))('%s', (_, seat) => {
  test.each(FAILURES.filter((one) => replyOf(seat, one) !== undefined))('$group: $name', async (one) => {
    const reply = replyOf(seat, one)!;
    const closed = await cameTo(seat, reply, 'block');
    const text = closed.reasons.map((reason) => reason.text).join(' ');
    expect([closed.verdict, text === '']).toEqual(['deny', false]);
    const open = await cameTo(seat, reply, 'allow');
    // It fails open with a mark, or the dialect treats such an exit as a refusal.
    const came =
      open.verdict === 'deny' ? 'refused' : open.runs[0]?.failedOpen === true ? 'marked' : 'silent';
    expect([came === 'silent', open.verdict === 'allow']).toEqual([false, false]);
  });

  const refusal = refusalIn(seat);
  test.skipIf(refusal === undefined || isCall(seat))(
    'a refusal counts by exit 0 and JSON, and by exit 2',
    async () => {
      for (const reply of [refusal!, exited(2, '', 'no'), exited(2)])
        expect([(await cameTo(seat, reply, 'allow')).verdict, reply]).toEqual(['deny', reply]);
    },
  );

  test.skipIf(refusal === undefined || isCall(seat))('a refusal after a log line is heard', async () => {
    const { stdout } = refusal as Extract<Reply, { kind: 'exited' }>;
    expect((await cameTo(seat, exited(0, `checking\n${stdout}\n`), 'allow')).verdict).toBe('deny');
  });

  test('invalid JSON, an unknown value and the wrong case approve nothing', async () => {
    for (const said of [
      'sure',
      '{"decision":"yes"}',
      '{"decision":"ALLOW"}',
      '{"permissionDecision":"Allow"}',
    ])
      expect([said, (await cameTo(seat, exited(0, said), 'allow')).verdict]).not.toEqual([said, 'allow']);
  });

  test('a decision for another event approves nothing and is not ignored silently', async () => {
    const other = '{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"allow"}}';
    expect((await cameTo(seat, exited(0, other), 'allow')).verdict).not.toBe('allow');
  });
});

/** Entries that a host ignores or never runs, as far as a settings file can contain them. */
const FILES: Readonly<Record<string, (word: string, entry: 'good' | 'bad' | 'both') => string>> = {
  anyhook: (word, entry) =>
    JSON.stringify({ hooks: { [word]: entries(entry, { run: 'guard' }, { run: 7 }) } }),
  opta: (word, entry) =>
    JSON.stringify({
      hooks: entries(entry, { event: word, command: 'guard' }, { event: word, command: 7 }),
    }),
  'copilot-cli': (word, entry) =>
    JSON.stringify({
      version: 1,
      hooks: { [word]: entries(entry, { type: 'command', bash: 'guard' }, { type: 'command', bash: 7 }) },
    }),
  cursor: (word, entry) =>
    JSON.stringify({ version: 1, hooks: { [word]: entries(entry, { command: 'guard' }, { command: 7 }) } }),
  ...Object.fromEntries(
    ['claude-code', 'codex', 'gemini-cli', 'goose', 'grok-build', 'qwen-code'].map((name) => [
      name,
      (word: string, entry: 'good' | 'bad' | 'both') =>
        JSON.stringify({
          hooks: {
            [word]: [
              {
                hooks: entries(entry, { type: 'command', command: 'guard' }, { type: 'command', command: 7 }),
              },
            ],
          },
        }),
    ]),
  ),
};
const entries = (which: 'good' | 'bad' | 'both', good: object, bad: object): object[] =>
  which === 'both' ? [bad, good] : [which === 'good' ? good : bad];

describe.each(Object.entries(FILES))('a settings file of %s', (name, write) => {
  const dialect = findDialect(name)!;
  const [word] = dialect.words['tool.before']!;
  const read = (text: string) =>
    dialect.config.read(text, { layer: 'user', file: `/h/.config/${name}/hooks.json` });

  test('a bad entry is reported and does not affect the others', () => {
    const { hooks, problems } = read(write(word!, 'both'));
    expect([hooks.map(({ run }) => run.kind).toSorted(), problems.length > 0]).toEqual([
      ['command', 'missing'],
      true,
    ]);
  });

  test('an unknown event and one in the wrong case are reported with the nearest name', () => {
    for (const slip of [`${word}x`, word!.toUpperCase()]) {
      const { problems } = read(write(slip, 'good'));
      expect(problems.some(({ remedy = '' }) => remedy.includes(word!))).toBe(true);
    }
  });
});

test('every dialect that guards calls is tried with every kind of failure', () => {
  const cells = GUARDS.flatMap((seat) => FAILURES.filter((one) => replyOf(seat, one) !== undefined)).length;
  result(
    'G2',
    `${FAILURES.length + 7} failure shapes of public bugs on ${GUARDS.length} dialects`,
    `${cells} cells and both fail modes: 0 silent, 0 taken for consent`,
  );
  expect(GUARDS).toHaveLength(DIALECTS.length);
});
