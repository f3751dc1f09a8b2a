/** V4: JSON on stdin and stdout, `prompt.pre`. */

import { describe, expect, test } from 'vitest';
import type { Run } from '../../../index.ts';
import { context, read, scratch } from './fixtures/scratch.ts';
import { type HookDefinition, type HookEvent, HookManager } from './index.ts';

/** Prints the text and exits with the code. */
const prints = (text: string, code = 0) => `cat <<'END'\n${text}\nEND\nexit ${code}`;
const json = (answer: unknown, code = 0): Omit<HookDefinition, 'event'> => ({
  command: prints(typeof answer === 'string' ? answer : JSON.stringify(answer), code),
  protocol: 'json',
});
async function fired(event: HookEvent, definitions: readonly Omit<HookDefinition, 'event'>[], more = {}) {
  const runs: Run[] = [];
  const manager = HookManager.create(
    definitions.map((definition) => ({ event, ...definition })),
    { onRun: (run) => runs.push(run) },
  );
  const call = { tool_name: 'run_command', tool_args: '{"command":"ls","cwd":"/"}' };
  return { result: await manager.fire(event, context(event, { ...call, prompt: 'hi', ...more })), runs };
}
const resultOf = async (event: HookEvent, ...definitions: Omit<HookDefinition, 'event'>[]) =>
  (await fired(event, definitions)).result;

describe('an answer on stdout', () => {
  test('an answer on stdout only counts with "protocol": "json"', async () => {
    const { command } = json({ decision: 'deny', reason: 'no' });
    expect(await resultOf('tool.pre', { command })).toEqual({ cancelled: false });
    expect(await resultOf('tool.pre', { command, protocol: 'json' })).toEqual({
      cancelled: true,
      decision: 'deny',
      reason: 'no',
    });
  });

  test('allow, deny, ask', async () => {
    expect(await resultOf('tool.pre', json({ decision: 'allow', reason: 'fine' }))).toEqual({
      cancelled: false,
      decision: 'allow',
    });
    expect(await resultOf('tool.pre', json({ decision: 'deny' }))).toEqual({
      cancelled: true,
      decision: 'deny',
      reason: 'blocked by an Opta hook without a reason',
    });
    expect(await resultOf('tool.pre', json({ decision: 'ask', reason: 'sure?' }))).toEqual({
      cancelled: true,
      decision: 'ask',
      reason: 'sure?',
    });
  });

  test('empty output is no objection and no approval', async () => {
    expect(await resultOf('tool.pre', { command: 'true', protocol: 'json' })).toStrictEqual({
      cancelled: false,
    });
  });

  test('updatedInput replaces the arguments, and the next hook receives them', async () => {
    const cwd = scratch();
    const { result } = await fired(
      'tool.pre',
      [
        json({ updatedInput: { command: 'ls -l' } }),
        { command: 'printf %s "$OPTA_TOOL_NAME $OPTA_TOOL_ARGS" > saw' },
      ],
      { cwd },
    );
    expect(result).toEqual({ cancelled: false, updatedInput: { command: 'ls -l' } });
    expect(read(cwd, 'saw')).toBe('run_command {"command":"ls -l"}');
  });

  test('an approval is void if another hook changes the call afterwards', async () => {
    const result = await resultOf(
      'tool.pre',
      {
        command: 'case "$OPTA_TOOL_ARGS" in *-l*) ;; *) echo \'{"decision":"allow"}\' ;; esac',
        protocol: 'json',
      },
      json({ updatedInput: { command: 'ls -l' } }),
    );
    expect(result).toEqual({ cancelled: false, updatedInput: { command: 'ls -l' } });
  });

  test('a question includes the arguments that would run after a yes', async () => {
    const result = await resultOf(
      'tool.pre',
      json({ updatedInput: { command: 'ls -l' }, additionalContext: 'c' }),
      json({ decision: 'ask', reason: 'sure?' }),
    );
    expect(result).toEqual({
      cancelled: true,
      decision: 'ask',
      reason: 'sure?',
      updatedInput: { command: 'ls -l' },
      additionalContext: 'c',
    });
  });

  test('additionalContext of all hooks reaches the model in order, and a refusal drops it', async () => {
    const [one, two] = [json({ additionalContext: 'one' }), json({ additionalContext: 'two' })];
    expect(await resultOf('tool.post', one, two)).toEqual({
      cancelled: false,
      additionalContext: 'one\ntwo',
    });
    expect(await resultOf('tool.pre', one, { command: 'echo no >&2; exit 1' })).toEqual({
      cancelled: true,
      reason: 'no',
    });
  });

  test('a refusal by exit code beats an approval in the text', async () => {
    const { result, runs } = await fired('tool.pre', [
      { command: `echo really not >&2\n${prints('{"decision":"allow"}', 1)}`, protocol: 'json' },
    ]);
    expect(result).toEqual({ cancelled: true, decision: 'deny', reason: 'really not' });
    expect(runs[0]?.answer?.failed).toBeUndefined(); // an answer, not a failure
  });

  test('effects that do not apply to the event are recorded as ignored', async () => {
    const { result, runs } = await fired('tool.post', [
      json({ decision: 'deny', updatedInput: { command: 'x' } }),
    ]);
    expect(result).toEqual({ cancelled: false });
    expect(runs[0]?.ignored?.map(({ effect, why }) => [effect.kind, why])).toEqual([
      ['deny', 'does not count on this event'],
      ['set', 'may not be changed'],
      ['set', 'may not be changed'],
    ]);
  });
});

describe('an invalid answer', () => {
  const NONSENSE = {
    'no JSON': 'allow',
    'a part of JSON': '{"decision":"allow"',
    'two documents': '{"decision":"allow"}\n{"decision":"deny"}',
    'text before it': 'log line\n{"decision":"allow"}',
    'a list': '[{"decision":"allow"}]',
    'a key twice': '{"decision":"deny","decision":"allow"}',
    'a wrong case': '{"decision":"Allow"}',
    'another agent’s word': '{"decision":"approve"}',
    'an unknown key': '{"decison":"deny"}',
    'a reason that is no text': '{"decision":"allow","reason":1}',
    'arguments that are no object': '{"updatedInput":"ls"}',
    'a context that is no text': '{"additionalContext":{}}',
  };
  test.each(Object.entries(NONSENSE))(
    '%s blocks on tool.pre and prompt.pre as a failure',
    async (_, text) => {
      for (const event of ['tool.pre', 'prompt.pre'] as const) {
        const { result, runs } = await fired(event, [json(text)]);
        expect(result).toEqual({ cancelled: true, reason: expect.stringMatching(/failed \(unreadable: /) });
        expect(runs[0]?.answer?.failed?.kind).toBe('unreadable');
      }
    },
  );

  test('an invalid answer on other events changes nothing and leaves a mark', async () => {
    const { result, runs } = await fired('tool.post', [json('nonsense')]);
    expect([result, runs[0]?.failedOpen]).toEqual([{ cancelled: false }, true]);
  });

  test('an answer beyond the output limit is not an answer', async () => {
    const command = `printf '{"decision":"allow","reason":"'; head -c 2000000 /dev/zero | tr '\\0' x; printf '"}'`;
    const { result } = await fired('tool.pre', [{ command, protocol: 'json' }]);
    expect(result).toEqual({ cancelled: true, reason: expect.stringMatching(/was cut/) });
  });
});

describe('prompt.pre', () => {
  test('prompt.pre is refused by any exit code but 0, with stderr as the reason', async () => {
    expect(await resultOf('prompt.pre', { command: 'echo "not this: $OPTA_PROMPT" >&2; exit 1' })).toEqual({
      cancelled: true,
      reason: 'not this: hi',
    });
    expect(await resultOf('prompt.pre', { command: 'true' })).toEqual({ cancelled: false });
  });

  test('prompt.pre can rewrite and extend the prompt', async () => {
    const answer = { updatedInput: { prompt: 'hello' }, additionalContext: 'be brief' };
    expect(await resultOf('prompt.pre', json(answer))).toEqual({ cancelled: false, ...answer });
  });

  test('a guard that cannot start blocks prompt.pre, and a timeout does not', async () => {
    expect((await resultOf('prompt.pre', { command: './nowhere' })).cancelled).toBe(true);
    expect((await resultOf('prompt.pre', { command: 'kill -KILL $$' })).cancelled).toBe(true);
    expect((await resultOf('prompt.pre', { command: 'sleep 60', timeout: 150 })).cancelled).toBe(false);
  });
});
