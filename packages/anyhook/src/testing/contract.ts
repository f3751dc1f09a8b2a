/**
 * Named checks that every dialect must pass; each throws if it fails. A dialect lists what it cannot do with
 * the reason, and its page shows that.
 */

import { deepStrictEqual, doesNotThrow, ok } from 'node:assert/strict';
import { interpretReply, weighFailure } from '../engine/ask.ts';
import { lower } from '../engine/lower.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { EffectKind } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../events/events.ts';
import type { FailureKind, ExitReply, Reply } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import { outcomeOf, type Ruling, silentOutcome } from '../events/outcome.ts';
import { TOOLS } from '../events/tools.ts';
import { event, SAMPLES } from './event.ts';

export interface ContractPromise {
  readonly title: string;
  check(): void;
}
export interface ContractGap {
  readonly reason: string;
  /** Events whose payload is not checked for a round trip. */
  readonly payloads?: readonly EventName[];
  /** Native events whose payload does not contain the event name. */
  readonly nameless?: readonly string[];
  /** Native events whose hooks only observe, so their answers are not checked. */
  readonly answers?: readonly string[];
}
export interface ContractOptions {
  /** Returns a hook of this dialect for a native event, as its config would create it. */
  readonly hookFor: (word: string) => Hook;
  readonly gaps?: readonly ContractGap[];
}

const BROKEN: readonly FailureKind[] = [
  'timed-out',
  'killed',
  'not-started',
  'not-loaded',
  'unreadable',
  'failed',
  'aborted',
];
const GARBAGE = [
  '',
  '{',
  '[]',
  'null',
  '{"hooks": 3}',
  '{"hooks": [null, {}, 7]}',
  '\u0000',
  '{"__proto__":{"a":1}}',
];
const GROUND: Locations = { home: '/home/somebody', cwd: '/project', env: {} };

export function dialectContract(
  dialect: Dialect,
  { hookFor, gaps = [] }: ContractOptions,
): ContractPromise[] {
  const named = EVENT_NAMES.flatMap((name) => (dialect.words[name] ?? []).map((word) => ({ name, word })));
  return [...tableChecks(dialect, hookFor, named), ...eventChecks(dialect, hookFor, named, gaps)];
}

interface NamedEvent {
  readonly name: EventName;
  /** The dialect's name for it. */
  readonly word: string;
}

function tableChecks(
  dialect: Dialect,
  hookFor: ContractOptions['hookFor'],
  named: readonly NamedEvent[],
): ContractPromise[] {
  return [
    {
      title: `${dialect.name} states for every event whether it has a name for it`,
      check: () => deepStrictEqual(Object.keys(dialect.words).toSorted(), [...EVENT_NAMES].toSorted()),
    },
    {
      title: `${dialect.name} states for every tool whether it has one`,
      check: () =>
        deepStrictEqual(
          Object.keys(dialect.tools)
            .filter((key) => key !== 'mcp')
            .toSorted(),
          Object.keys(TOOLS).toSorted(),
        ),
    },
    {
      title: `${dialect.name} states for every native event how hooks share it and what a broken hook means`,
      check() {
        for (const { word } of named) {
          ok(['in-turn', 'together', 'detached'].includes(dialect.sharing(word).order), word);
          for (const why of BROKEN)
            ok(['allow', 'ask', 'block'].includes(dialect.failure(word, why, hookFor(word))), word);
        }
      },
    },
    {
      title: `${dialect.name} reads any text as settings without throwing`,
      check() {
        for (const place of dialect.config.places(GROUND))
          for (const text of GARBAGE) doesNotThrow(() => dialect.config.read(text, place), text);
      },
    },
  ];
}

function eventChecks(
  dialect: Dialect,
  hookFor: ContractOptions['hookFor'],
  named: readonly NamedEvent[],
  gaps: readonly ContractGap[],
): ContractPromise[] {
  const withoutRoundTrip = new Set(gaps.flatMap(({ payloads = [] }) => payloads));
  const nameless = new Set(gaps.flatMap((gap) => gap.nameless ?? []));
  const observed = new Set(gaps.flatMap(({ answers = [] }) => answers));
  return [
    ...named.map(({ name, word }) => ({
      title: `${dialect.name} ${word}: a failure stops the action or is marked`,
      check: () =>
        failuresAreMarked(
          dialect,
          name,
          hookFor(word),
          observed.has(word) ? FAILURES : [...FAILURES, ...UNSURE],
        ),
    })),
    ...named
      .filter(({ name }) => !withoutRoundTrip.has(name))
      .map(({ name, word }) => ({
        title: `${dialect.name} ${word}: a written payload is read back unchanged`,
        check: () => roundTrip(dialect, name, hookFor(word), nameless),
      })),
    ...named
      .filter(({ word }) => !observed.has(word))
      .map(({ name, word }) => ({
        title: `${dialect.name} ${word}: an outcome that its agent supports survives writing and reading`,
        check: () => answersRoundTrip(dialect, name, hookFor(word)),
      })),
  ];
}

/** An event without a row of ours is fired under the dialect's own name. */
const sampleFor = (name: EventName, { on }: Hook) =>
  event(name, (name === 'other' ? { word: on, body: {} } : SAMPLES[name]) as never);

function roundTrip(dialect: Dialect, name: EventName, hook: Hook, nameless: ReadonlySet<string>): void {
  const before = sampleFor(name, hook);
  const request = dialect.payload.write(before, hook);
  const written: unknown =
    request.kind === 'command'
      ? JSON.parse(request.stdin ?? '{}')
      : request.kind === 'call'
        ? request.args[0]
        : JSON.parse(request.body);
  const { nameKey = 'event' } = dialect.payload;
  const native = nameless.has(hook.on) ? { ...(written as object), [nameKey]: hook.on } : written;
  const after = dialect.payload.read(native, request.kind === 'command' ? (request.env ?? {}) : {});
  deepStrictEqual(
    [after.name, after.ids.session, after.scene.cwd],
    [before.name, before.ids.session, before.scene.cwd],
  );
}

function answersRoundTrip(dialect: Dialect, name: EventName, hook: Hook): void {
  const about = sampleFor(name, hook);
  for (const outcome of outcomesFor(about)) {
    const low = outcomeOf(lower(outcome, about, dialect.can), name);
    const answer = dialect.output.read(dialect.output.write(low, about), about, hook);
    const verdicts = answer.effects.flatMap(({ kind }) => (VERDICTS.has(kind) ? [kind] : []));
    const expected = low.verdict === 'none' ? [] : [low.verdict];
    deepStrictEqual(
      [answer.failed, [...new Set(verdicts)]],
      [undefined, expected],
      `${name}: ${outcome.verdict}`,
    );
    if (low.flow.resume !== undefined)
      ok(
        answer.effects.some(({ kind }) => kind === 'resume'),
        `${name}: resume`,
      );
  }
}

/** Failures that every dialect must handle, whatever its answers look like. */
const FAILURES: readonly Reply[] = [
  ...BROKEN.map((kind): Reply => ({ kind: 'broken', why: { kind }, stdout: 'x', stderr: '' })),
  { kind: 'exited', code: 2, stdout: '', stderr: '' },
  { kind: 'threw', message: 'no', args: [] },
];
/** Ambiguous output. */
const UNSURE: readonly ExitReply[] = [
  { kind: 'exited', code: 0, stdout: '{"decision":', stderr: '' },
  { kind: 'exited', code: 0, stdout: '\u001b[1m{}', stderr: '' },
  { kind: 'exited', code: 0, stdout: '\0{}', stderr: '' },
  { kind: 'exited', code: 0, stdout: '{}', stderr: '', notes: { truncated: { stdout: 1 } } },
];

function failuresAreMarked(dialect: Dialect, name: EventName, hook: Hook, failures: readonly Reply[]): void {
  const about = sampleFor(name, hook);
  const open: Hook = { ...hook, onFailure: 'allow' };
  for (const reply of failures) {
    if (reply.kind === 'exited' && hook.run.kind !== 'command') continue;
    const answer = interpretReply(reply, open, dialect, about);
    const { failedOpen } = weighFailure(open, dialect, about, answer, 0);
    const says = answer.effects.some(({ kind }) => kind !== 'allow');
    ok(failedOpen || says, `${JSON.stringify(reply)} lets the action pass without a mark`);
  }
}

const VERDICTS: ReadonlySet<string> = new Set(['allow', 'ask', 'defer', 'deny']);

function outcomesFor(about: Event): Ruling[] {
  const quiet = silentOutcome(about);
  const withVerdict = (verdict: Ruling['verdict']): Ruling => ({
    ...quiet,
    verdict,
    reasons: [{ by: 'h', text: 'because' }],
  });
  const all: [EffectKind | null, Ruling][] = [
    [null, quiet],
    ['deny', withVerdict('deny')],
    ['ask', withVerdict('ask')],
    ['allow', withVerdict('allow')],
    ['resume', { ...quiet, flow: { resume: 'go on' } }],
    ['context', { ...quiet, said: [{ by: 'h', to: 'model', text: 'know this' }] }],
  ];
  return all
    .filter(([kind]) => kind === null || rowOf(about.name).effects.includes(kind))
    .map(([, outcome]) => outcome);
}
