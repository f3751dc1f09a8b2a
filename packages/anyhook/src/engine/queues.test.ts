import { expect, test } from 'vitest';
import { opencode } from '../agents/opencode/dialect/index.ts';
import type { Hook } from '../events/hook.ts';
import { event } from '../testing/index.ts';
import { makeEngine } from './engine.ts';

const background = (id: string, queue?: string): Hook => ({
  id,
  dialect: 'opencode',
  on: 'session_completed',
  origin: { layer: 'user', file: 'f', line: 1 },
  roles: ['observer'],
  match: { kind: 'any' },
  run: { kind: 'http', url: 'http://127.0.0.1/' }, // the command runner keeps commands in order
  background: true,
  shadow: false,
  timeoutMs: 10_000,
  ...(queue !== undefined && { queue }),
});

/** The first hook ends last if both run concurrently. */
async function order(hooks: readonly Hook[], fires: number): Promise<string[]> {
  const told: string[] = [];
  let left = hooks.length * fires;
  await new Promise<void>((done) => {
    const engine = makeEngine({
      dialects: [opencode],
      hooks,
      services: {},
      async run({ id }) {
        told.push(`${id} starts`);
        await new Promise((wake) => setTimeout(wake, id === 'slow' ? 60 : 1));
        told.push(`${id} ends`);
        return { kind: 'exited', code: 0, stdout: '', stderr: '' };
      },
      onLate: () => void (--left === 0 && done()),
    });
    for (let i = 0; i < fires; i++) void engine.fire(event('agent.idle', {}));
  });
  return told;
}

test('background hooks of one queue run one after another, also across events', async () => {
  const once = ['slow starts', 'slow ends', 'quick starts', 'quick ends'];
  expect(await order([background('slow', 'l'), background('quick', 'l')], 2)).toEqual([...once, ...once]);
});

test('background hooks without a queue run concurrently', async () => {
  expect((await order([background('slow'), background('quick')], 1)).at(-1)).toBe('slow ends');
});

test('the fire ends before its queue does', async () => {
  let ran = false;
  const engine = makeEngine({
    dialects: [opencode],
    hooks: [background('slow', 'l')],
    services: {},
    run: async () => {
      await new Promise((wake) => setTimeout(wake, 50));
      ran = true;
      return { kind: 'exited', code: 3, stdout: '', stderr: '' };
    },
  });
  const outcome = await engine.fire(event('agent.idle', {}));
  expect([outcome?.verdict, ran]).toEqual(['none', false]);
});
