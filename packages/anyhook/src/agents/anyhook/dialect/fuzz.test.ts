/** Random and mutated outputs: the reader never throws, and only a complete document with an approval approves. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import { EVENT_NAMES } from '../../../events/events.ts';
import type { Hook } from '../../../events/hook.ts';
import { anyhook } from './index.ts';

const RUNS = Number(process.env['ANYHOOK_FUZZ_RUNS'] ?? 20_000);
const SEED = Number(process.env['ANYHOOK_FUZZ_SEED'] ?? 20_261_115);

const CORPUS = [
  '{"decision":"allow"}',
  '{"decision":"deny","reason":"no"}',
  '{"decision":"allow","reason":"x","input":{"command":"ls"}}',
  '{"effects":[{"kind":"allow"},{"kind":"context","text":"c"}]}',
  '{"set":{"input":{"command":"rm"}},"notice":["a","b"]}',
  '{"halt":true}',
  'log line\n{"decision":"allow"}\n',
  '{"decision":"allow"}\n{"decision":"deny"}',
  '\uFEFF{"decision":"allow"}\r\n',
  '{"__proto__":{"decision":"allow"}}',
  '{"decision":"deny","decision":"allow"}',
  'plain text',
  '',
];
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\n',
  '\r\n',
  ' ',
  '\0',
  '\uFEFF',
  '\uD800',
  '0',
  'e9',
  '//',
  '/**/',
];
const WORDS = [
  '"decision"',
  '"allow"',
  '"deny"',
  '"reason"',
  '"effects"',
  '"kind"',
  '{"decision":"allow"}',
  'null',
  'true',
];

/** A small repeatable generator. The test title contains the seed. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed >>> 0;
  for (;;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/** Written by hand and kept simple: the only condition under which an approval is valid. */
function approves(stdout: string): boolean {
  try {
    const said = JSON.parse(stdout.replace(/^\uFEFF/, '')) as { decision?: unknown; effects?: unknown };
    const effects = Array.isArray(said.effects) ? (said.effects as { kind?: unknown }[]) : [];
    return said.decision === 'allow' || effects.some((effect) => effect?.kind === 'allow');
  } catch {
    return false;
  }
}

/** A salvage function without the rule that it may only tighten. The fuzz test must catch it. */
const naive = (stdout: string): boolean => /"decision"\s*:\s*"allow"/.test(stdout);

describe('output fuzz', () => {
  test(`${RUNS} random outputs with seed ${SEED} never throw and never approve without an explicit approval`, () => {
    const random = numbers(SEED);
    const below = (limit: number) => random.next().value % limit;
    const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
    const mutate = (text: string): string => {
      const [at, length] = [below(text.length + 1), below(4)];
      const patch = pick([
        () => pick(PIECES),
        () => pick(WORDS),
        () => String.fromCharCode(below(0x250)),
        () => pick(CORPUS),
        () => '',
        () => text.slice(at, at + 10),
      ])();
      return text.slice(0, at) + patch + text.slice(at + length);
    };
    const hook = { run: { kind: 'command' }, roles: ['guard'] } as unknown as Hook;
    const [seen, fooled] = [new Map<string, number>(), { naive: 0 }];
    for (let i = 0; i < RUNS; i++) {
      let stdout = pick(CORPUS);
      for (let steps = below(6); steps > 0; steps--) stdout = mutate(stdout);
      const code = pick([0, 0, 0, 0, 1, 2, 2, 127, 255]);
      const event = {
        name: below(3) === 0 ? pick(EVENT_NAMES) : 'tool.before',
        payload: { tool: 'shell', input: { command: 'ls' } },
        ids: { session: 's' },
        scene: { cwd: '/' },
        round: 1,
      } as unknown as Event;
      const answer = anyhook.output.read({ kind: 'exited', code, stdout, stderr: '' }, event, hook);
      const allowed = answer.effects.some(({ kind }) => kind === 'allow');
      const lawful = code === 0 && approves(stdout);
      if (allowed && !lawful) expect({ code, stdout, answer }).toBe('an approval nobody gave');
      if (code !== 0 && code !== 2 && answer.failed === undefined)
        expect({ code, stdout, answer }).toBe('a failure');
      if (code === 2 && answer.failed === undefined && answer.effects.length === 0)
        expect({ code, stdout, answer }).toBe('a refusal');
      if (naive(stdout) && !lawful) fooled.naive++;
      const outcome = allowed
        ? 'allow'
        : (answer.failed?.kind ?? (answer.effects.length > 0 ? 'effects' : 'nothing'));
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    // The run must cover every kind of result, and outputs that a careless reader misreads.
    expect([...seen.keys()].toSorted()).toEqual(['allow', 'effects', 'failed', 'nothing', 'unreadable']);
    expect(fooled.naive).toBeGreaterThan(RUNS / 100);
  }, 600_000);
});
