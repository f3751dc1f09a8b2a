import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, diff } from '../../../events/changes.ts';
import type { Effect, Fields, Gift, FlowKind } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../../../events/events.ts';
import { GIFTS } from '../../../events/gifts.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { outcome } from '../../../testing/outcome.ts';
import { anyhook } from './index.ts';

const hook = { run: { kind: 'command' } } as Hook;
const event = (name: EventName, payload: Fields) =>
  ({ name, payload, ids: { session: 's' }, scene: { cwd: '/' }, round: 1 }) as unknown as Event;

describe('an outcome for an agent with our dialect', () => {
  test('an empty outcome writes nothing', () => {
    const about = event('tool.before', {});
    expect(anyhook.output.write(outcome(about), about)).toEqual({
      kind: 'exited',
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('a refusal is written in three ways', () => {
    const about = event('tool.before', {});
    const denied = outcome(about, {
      verdict: 'deny',
      reasons: [
        { by: 'a', text: 'x' },
        { by: 'b', text: 'y' },
      ],
    });
    expect(anyhook.output.write(denied, about)).toEqual({
      kind: 'exited',
      code: 2,
      stdout: '{"decision":"deny","reason":"x\\ny"}\n',
      stderr: 'x\ny\n',
    });
  });

  /** Applies a JSON round trip, which turns `-0` into `0`. */
  const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const json = fc.jsonValue({ maxDepth: 2 }).map(plain).filter(hasNoProto);
  const fields = fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 4 }).filter(hasNoProto);
  const words = fc
    .string({ minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() === text && text !== '');

  /** Outcomes as the engine creates them: only effects that apply to the event. */
  const cases = fc.constantFrom(...EVENT_NAMES).chain((name) => {
    const { effects, mutable } = rowOf(name);
    const verdicts = (['allow', 'ask', 'defer', 'deny'] as const).filter((kind) => effects.includes(kind));
    const turns = (['halt', 'cancel', 'resume', 'retry'] as const).filter((kind) => effects.includes(kind));
    const change = fc.option(fc.oneof(json, fields), { nil: undefined });
    return fc.record({
      name: fc.constant(name),
      before: fc.record(Object.fromEntries(mutable.map((field) => [field, fc.oneof(json, fields)])), {
        requiredKeys: [],
      }),
      wanted: fc.record(Object.fromEntries(mutable.map((field) => [field, change])), { requiredKeys: [] }),
      verdict: fc.constantFrom('none' as const, ...verdicts),
      reason: fc.option(words, { nil: undefined }),
      said: fc.array(
        fc.record({ by: fc.constant('h'), to: fc.constantFrom('model', 'person'), text: fc.string() }),
      ),
      given: fc.array(
        fc.record({
          by: fc.constant('h'),
          what: fc.constantFrom(...(Object.keys(GIFTS) as Gift[])),
          value: json,
        }),
        { maxLength: 2 },
      ),
      flow: fc.dictionary(fc.constantFrom(...turns, ...(turns.length ? [] : ['halt' as const])), words),
    });
  });

  test('a written outcome is read back unchanged', () => {
    fc.assert(
      fc.property(cases, ({ name, before, wanted, verdict, reason, said, given, flow }) => {
        const changes = Object.entries(wanted).flatMap(([field, to]): Effect[] =>
          to === undefined
            ? Object.hasOwn(before, field)
              ? [{ kind: 'set', at: [field] }]
              : []
            : diff(field, Object.hasOwn(before, field) ? before[field] : undefined, to),
        );
        const payload = apply(before as Fields, changes as never);
        const asked = event(name, before as Fields);
        const sent = outcome(asked, {
          verdict,
          reasons: reason === undefined ? [] : [{ by: 'h', text: reason }],
          payload,
          said: said as Outcome['said'],
          given,
          flow,
        });
        const { effects, failed } = anyhook.output.read(anyhook.output.write(sent, asked), asked, hook);
        expect(failed).toBeUndefined();
        expect(effects.map(shape).toSorted()).toEqual(
          effectsOf(sent, before as Fields)
            .map(shape)
            .toSorted(),
        );
      }),
      { numRuns: Number(process.env['RUNS'] ?? 2_000) },
    );
  });
});

/** Returns the effects of an outcome, computed independently of the writer. */
function effectsOf({ verdict, reasons, payload, said, given, flow }: Outcome, before: Fields): Effect[] {
  const reason = reasons[0]?.text;
  return [
    ...(verdict === 'none' ? [] : [{ kind: verdict, ...(reason !== undefined && { reason }) } as Effect]),
    ...Object.keys({ ...before, ...payload }).flatMap((field): Effect[] =>
      Object.hasOwn(payload, field)
        ? diff(field, Object.hasOwn(before, field) ? before[field] : undefined, payload[field])
        : [{ kind: 'set', at: [field] }],
    ),
    ...said.map(({ to, text }): Effect => ({ kind: to === 'model' ? 'context' : 'notice', text })),
    ...given.map(({ what, value }): Effect => ({ kind: 'give', what, value })),
    ...Object.entries(flow).map(([kind, why]) => ({ kind: kind as FlowKind, reason: why })),
  ];
}
const shape = (effect: Effect): string => JSON.stringify(effect, Object.keys(effect).length ? undefined : []);
function hasNoProto(value: unknown): boolean {
  return !JSON.stringify(value).includes('__proto__');
}

test.each<[string, Partial<Outcome>, number]>([
  ['denies', { verdict: 'deny', reasons: [{ by: 'a', text: 'why' }] }, 2],
  ['defers', { verdict: 'defer', reasons: [{ by: 'a', text: 'why' }] }, 2],
  ['halts', { flow: { halt: 'why' } }, 2],
  ['asks', { verdict: 'ask', reasons: [{ by: 'a', text: 'why' }] }, 3],
  ['allows', { verdict: 'allow', reasons: [{ by: 'a', text: 'why' }] }, 0],
  ['says nothing', {}, 0],
])('an outcome that %s has its own exit code, for programs that do not read JSON', (_what, parts, code) => {
  const about = event('tool.before', {});
  const written = anyhook.output.write(outcome(about, parts), about);
  expect(written).toMatchObject({ code, stderr: code === 0 ? '' : 'why\n' });
});
