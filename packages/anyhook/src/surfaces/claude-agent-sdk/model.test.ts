/**
 * Random sequences of register, request, answer, late answer, drop, cancel, abort and shutdown, against a model: every
 * request has exactly one outcome, and nothing hangs. Some by default; ANYHOOK_MODEL_RUNS says how many.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HookJSONOutput, HookService, ProtocolHandler } from './index.ts';
import { callback, cancel, Ends } from './fixtures/streams.ts';

const RUNS = Number(process.env['ANYHOOK_MODEL_RUNS'] ?? 1000);

type State = 'pending' | 'answered' | 'failed' | 'withdrawn' | 'cancelled' | 'unknown';
interface Model {
  registered: number;
  readonly requests: Map<string, State>;
  isClosed: boolean;
}
interface Settle {
  readonly give: (output: HookJSONOutput) => void;
  readonly fail: (error: Error) => void;
}

class System {
  readonly ends = new Ends();
  readonly service = new HookService({ timeoutMs: 600_000 });
  readonly handler = new ProtocolHandler({
    service: this.service,
    input: this.ends.input,
    output: this.ends.output,
  });
  /** Callbacks that were called and have not answered yet, by request. */
  readonly waiting = new Map<string, Settle>();
  constructor() {
    this.handler.start();
  }
  register(): void {
    this.service.registerHooks({
      PreToolUse: (input) =>
        new Promise((give, fail) =>
          this.waiting.set((input as unknown as { request: string }).request, { give, fail }),
        ),
    });
  }
  put(frame: unknown): void {
    this.ends.put(frame);
  }
}
/** Streams and promises have settled; no clock is involved. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done));
};
const idOf = (frame: Record<string, unknown>): string =>
  (frame['response'] as { request_id: string }).request_id;

type Command = fc.AsyncCommand<Model, System>;
const pick = (model: Model, at: number, state?: State): string | undefined => {
  const ids = [...model.requests].filter(([, now]) => state === undefined || now === state).map(([id]) => id);
  return ids[at % Math.max(ids.length, 1)];
};

const command = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, system: System) => void | Promise<void>,
): Command => ({
  check,
  run: async (model, system) => {
    await run(model, system);
    await settled();
  },
  toString: () => name,
});

const register = fc.constant(
  command(
    'register',
    () => true,
    (model, system) => {
      system.register();
      model.registered++;
    },
  ),
);
let serial = 0;
const fire = fc.nat(3).map((at) =>
  command(
    `fire ${at}`,
    () => true,
    (model, system) => {
      const id = `r${++serial}`;
      const isKnown = at < model.registered;
      system.put(callback(id, `hook_${at + 1}`, { input: { request: id } }));
      if (!model.isClosed) model.requests.set(id, isKnown ? 'pending' : 'unknown');
    },
  ),
);
/** Also for requests that are settled already: a late answer. */
const answer = fc
  .record({ at: fc.nat(50), how: fc.constantFrom('give', 'fail', 'nonsense') })
  .map(({ at, how }) =>
    command(
      `answer ${at} ${how}`,
      (model) => model.requests.size > 0,
      (model, system) => {
        const id = pick(model, at)!;
        const settle = system.waiting.get(id);
        if (settle === undefined) return;
        system.waiting.delete(id);
        if (how === 'fail') settle.fail(new Error('boom'));
        else settle.give(how === 'give' ? {} : ('nonsense' as never));
        if (model.requests.get(id) === 'pending')
          model.requests.set(id, how === 'give' ? 'answered' : 'failed');
      },
    ),
  );
const withdraw = fc.nat(50).map((at) =>
  command(
    `cancel ${at}`,
    (model) => model.requests.size > 0,
    (model, system) => {
      const id = pick(model, at)!;
      system.put(cancel(id));
      if (!model.isClosed && model.requests.get(id) === 'pending') model.requests.set(id, 'withdrawn');
    },
  ),
);
const again = fc.nat(50).map((at) =>
  command(
    `again ${at}`,
    (model) => pick(model, at, 'pending') !== undefined,
    (model, system) =>
      system.put(callback(pick(model, at, 'pending')!, 'hook_1', { input: { request: 'duplicate' } })),
  ),
);
const noise = fc.constantFrom('nonsense', '{"type":"control_response"}', '{"type":"assistant"}').map((line) =>
  command(
    `noise ${line}`,
    () => true,
    (_model, system) => void system.ends.input.write(`${line}\n`),
  ),
);
const shutdown = fc.constant(
  command(
    'shutdown',
    () => true,
    async (model, system) => {
      await system.handler.close();
      model.isClosed = true;
      for (const [id, state] of model.requests) if (state === 'pending') model.requests.set(id, 'cancelled');
    },
  ),
);

const OUTCOME: Readonly<Record<Exclude<State, 'pending'>, string | undefined>> = {
  answered: 'success',
  failed: 'error',
  unknown: 'error',
  cancelled: 'error',
  withdrawn: undefined,
};

type Frame = Record<string, unknown>;
/** What the peer would see if answers were lost or came twice. */
const FAULTS = {
  none: (heard: readonly Frame[]) => heard,
  twice: (heard: readonly Frame[]) => heard.flatMap((frame, at) => (at % 5 === 4 ? [frame, frame] : [frame])),
  lost: (heard: readonly Frame[]) => heard.filter((_, at) => at % 5 !== 4),
};

const property = (fault: (heard: readonly Frame[]) => readonly Frame[]) =>
  fc.asyncProperty(
    fc.commands([register, fire, fire, fire, answer, answer, withdraw, again, noise, shutdown], {
      maxCommands: 25,
    }),
    async (sequence) => {
      const [model, system]: [Model, System] = [
        { registered: 0, requests: new Map(), isClosed: false },
        new System(),
      ];
      await fc.asyncModelRun(() => ({ model, real: system }), sequence);
      await system.handler.close();
      await settled();
      const heard = fault(system.ends.heard);
      for (const [id, state] of model.requests) {
        const expected = OUTCOME[state === 'pending' ? 'cancelled' : state];
        const answers = heard
          .filter((frame) => idOf(frame) === id)
          .map((frame) => (frame['response'] as { subtype: string }).subtype);
        expect([id, answers]).toEqual([id, expected === undefined ? [] : [expected]]);
      }
      expect([heard.length <= model.requests.size, system.handler.inFlight]).toEqual([true, 0]);
    },
  );

test(
  `in ${RUNS} random sequences each request has exactly one outcome, and nothing hangs`,
  { timeout: 1_200_000 },
  async () => {
    await fc.assert(property(FAULTS.none), { numRuns: RUNS });
  },
);

test.each(['twice', 'lost'] as const)('the model sees an answer that comes %s', async (fault) => {
  expect((await fc.check(property(FAULTS[fault]), { numRuns: 500, endOnFailure: true })).failed).toBe(true);
});
