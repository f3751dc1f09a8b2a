import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import { EVENT_NAMES } from '../../../events/events.ts';
import type { Hook, Way } from '../../../events/hook.ts';
import { anyhook } from './index.ts';

const CALL = {
  name: 'tool.before',
  payload: { tool: 'shell', input: { command: 'ls' } },
  ids: { session: 's1', agent: 'a1', call: 'c1' },
  scene: { cwd: '/p', model: 'm', mode: 'plan' },
  native: { tool: 'Bash', args: {} },
  raw: { secret: 'of the host' },
  round: 1,
} as const satisfies Event<'tool.before'>;
const hook = (run: Way, extra?: Hook['extra']) => ({ run, ...(extra && { extra }) }) as Hook;
const COMMAND = hook({ kind: 'command', run: { line: 'x' }, env: 'inherit' });

describe('the payload for a hook', () => {
  test('the payload for a hook is one document on stdin and a few small variables', () => {
    const request = anyhook.payload.write(CALL, COMMAND);
    expect(request).toEqual({
      kind: 'command',
      cwd: '/p',
      stdin: expect.any(String),
      env: { ANYHOOK_EVENT: 'tool.before', ANYHOOK_SESSION: 's1', ANYHOOK_CWD: '/p', ANYHOOK_TOOL: 'shell' },
    });
    expect(request.kind === 'command' && JSON.parse(request.stdin!)).toEqual({
      event: 'tool.before',
      session: 's1',
      agent: 'a1',
      call: 'c1',
      cwd: '/p',
      model: 'm',
      mode: 'plan',
      round: 1,
      native: { tool: 'Bash', args: {} },
      tool: 'shell',
      input: { command: 'ls' },
    });
  });

  test('the payload is serialised once per event for any number of hooks', () => {
    let reads = 0;
    const input = {
      toJSON() {
        reads++;
        return { command: 'ls' };
      },
    };
    const event = { ...CALL, payload: { tool: 'shell', input: input as never } };
    for (let i = 0; i < 5; i++) anyhook.payload.write(event, COMMAND);
    expect(reads).toBe(1);
    anyhook.payload.write({ ...event }, COMMAND); // another object may have other content
    expect(reads).toBe(2);
  });

  test('a field with the name of a document key is under `payload`', () => {
    const event = { ...CALL, name: 'shell.env', payload: { cwd: '/q', env: { A: 'b' } } } as const;
    const { stdin } = anyhook.payload.write(event, COMMAND) as { stdin: string };
    expect(JSON.parse(stdin)).toMatchObject({ cwd: '/p', env: { A: 'b' }, payload: { cwd: '/q' } });
  });

  test('values that do not fit into the environment are left out', () => {
    const event = { ...CALL, ids: { session: 'a\0b' }, payload: { tool: 'x'.repeat(5000), input: {} } };
    expect(anyhook.payload.write(event, COMMAND)).toMatchObject({
      env: { ANYHOOK_EVENT: 'tool.before', ANYHOOK_CWD: '/p' },
    });
  });

  test('a command runs in its `cwd`, relative to the folder of the event', () => {
    const run = COMMAND.run;
    expect(anyhook.payload.write(CALL, hook(run, { cwd: 'sub' }))).toMatchObject({ cwd: '/p/sub' });
    expect(anyhook.payload.write(CALL, hook(run, { cwd: '/abs' }))).toMatchObject({ cwd: '/abs' });
  });

  test('a function receives the event itself, and a judge the document', () => {
    expect(anyhook.payload.write(CALL, hook({ kind: 'call', fn: () => 1, direct: true }))).toEqual({
      kind: 'call',
      args: [CALL],
    });
    const asked = anyhook.payload.write(CALL, hook({ kind: 'prompt', text: 'Is it safe?' }));
    expect(asked).toEqual({
      kind: 'send',
      body: expect.stringMatching(/^\{"event":"tool.before".*"command":"ls"/),
    });
  });
});

describe('a payload from an agent with our dialect', () => {
  const fields = fc.dictionary(
    fc.oneof(fc.constantFrom('cwd', 'model', 'payload', 'event', 'session', 'tool', 'input'), fc.string()),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  );
  test('a written payload is read back unchanged, for every event and any payload', () => {
    const text = fc.string();
    const events = fc.record({
      name: fc.constantFrom(...EVENT_NAMES),
      payload: fields.filter((payload) => !Object.hasOwn(payload, '__proto__')),
      ids: fc.record({ session: text, agent: text, call: text }, { requiredKeys: ['session'] }),
      scene: fc.record(
        { cwd: fc.constant('/x'), model: text, mode: text, transcript: text, agentType: text },
        { requiredKeys: ['cwd'] },
      ),
      round: fc.constantFrom(1, 2),
    });
    fc.assert(
      fc.property(events, (event) => {
        const { stdin } = anyhook.payload.write(event as never, COMMAND) as { stdin: string };
        const { raw, ...back } = anyhook.payload.read(JSON.parse(stdin));
        expect(back).toEqual({ ...event });
        expect(raw).toEqual(JSON.parse(stdin));
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1_000) },
    );
  });

  test('nearly all fields of a payload may be missing', () => {
    expect(anyhook.payload.read({ event: 'turn.stop' }, { PWD: '/w' })).toEqual({
      name: 'turn.stop',
      payload: {},
      ids: { session: 'unknown' },
      scene: { cwd: '/w' },
      raw: { event: 'turn.stop' },
      round: 1,
    });
  });

  test.each([
    [{ event: 'new.event', a: 1 }, 'new.event'],
    [{ a: 1 }, 'unknown'],
    ['text', 'unknown'],
    [null, 'unknown'],
  ])('the unknown event %j is passed through unchanged', (native, word) => {
    expect(anyhook.payload.read(native)).toMatchObject({
      name: 'other',
      payload: { word, body: native },
      raw: native,
    });
  });
});
