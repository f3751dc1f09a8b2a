import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventName } from '../../../events/events.ts';
import { event, SAMPLES } from '../../../testing/index.ts';
import { GLOBAL, hook, PLUGIN } from './fixtures/seats.ts';
import { goose } from './index.ts';
import { BLOCKABLE, GOOSE_EVENTS, type GooseWord, eventOfGoose } from './names.ts';

const word = fc.constantFrom<GooseWord>(...GOOSE_EVENTS);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .record(
      {
        decision: fc.anything(),
        reason: fc.anything(),
        additionalContext: fc.anything(),
        hookSpecificOutput: fc.anything(),
        banner: fc.anything(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value) ?? ''),
);
const about = (on: GooseWord) => {
  const name = eventOfGoose(on) as EventName;
  return event(name, SAMPLES[name] as never);
};

describe('random input', () => {
  test('random answers never throw, never approve, and only block events that can be blocked', () => {
    fc.assert(
      fc.property(word, fc.nat(255), text, text, (on, code, stdout, stderr) => {
        const { effects } = goose.output.read({ kind: 'exited', code, stdout, stderr }, about(on), hook(on));
        const kinds = effects.map(({ kind }) => kind);
        expect(kinds).not.toContain('allow');
        expect(kinds).not.toContain('set');
        if (!BLOCKABLE.has(on))
          expect(kinds.every((kind) => kind === 'context' || kind === 'notice')).toBe(true);
        else if (code === 2) expect(effects).toHaveLength(1);
      }),
    );
  });

  test('output with a decision never becomes context', () => {
    const marked = fc
      .record({ decision: fc.string().filter((said) => !/^\s*(allow|approve|block|deny)\s*$/i.test(said)) })
      .map((value) => JSON.stringify({ ...value, additionalContext: 'leaked' }));
    fc.assert(
      fc.property(marked, fc.constantFrom('', ' \n', 'log line\n'), (said, before) => {
        const reply = { kind: 'exited', code: 0, stdout: before + said, stderr: '' } as const;
        const { effects, failed } = goose.output.read(reply, about('PreToolUse'), hook('PreToolUse'));
        expect([effects, failed?.kind]).toEqual([[], 'unreadable']);
      }),
    );
  });

  test('random payloads never throw and can be serialised', () => {
    const payload = fc.oneof(
      fc.anything(),
      fc.dictionary(
        fc.constantFrom(
          'hook_event_name',
          'event',
          'session_id',
          'cwd',
          'tool_name',
          'tool_input',
          'tool_output',
          'message',
          'manual',
        ),
        fc.oneof(word, fc.jsonValue()),
      ),
    );
    fc.assert(
      fc.property(payload, (native) => {
        const read = goose.payload.read(native);
        const request = goose.payload.write(
          read,
          hook(GOOSE_EVENTS.find((on) => eventOfGoose(on) === read.name) ?? 'Stop'),
        );
        expect(() => JSON.parse((request as { stdin: string }).stdin) as unknown).not.toThrow();
      }),
    );
  });

  test('random settings never throw, and problems have a location', () => {
    const action = fc.record(
      {
        type: fc.oneof(fc.constantFrom('command', 'mcp_tool'), fc.jsonValue()),
        command: fc.jsonValue(),
        tool: fc.jsonValue(),
        server: fc.jsonValue(),
        timeout: fc.jsonValue(),
        on_failure: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const group = fc.record(
      { matcher: fc.oneof(fc.string(), fc.jsonValue()), hooks: fc.oneof(fc.array(action), fc.jsonValue()) },
      { requiredKeys: [] },
    );
    const file = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          hooks: fc.dictionary(fc.oneof(word, fc.string()), fc.oneof(fc.array(group), fc.jsonValue())),
          allow_project_hooks: fc.jsonValue(),
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(file, fc.constantFrom(GLOBAL, PLUGIN), (said, place) => {
        const { hooks, problems } = goose.config.read(said, place);
        for (const problem of problems)
          expect([problem.file, typeof problem.line]).toEqual([place.file, 'number']);
        for (const one of hooks) expect(Number.isFinite(one.timeoutMs) && one.timeoutMs > 0).toBe(true);
      }),
    );
  });
});
