import { describe, expect, test } from 'vitest';
import type { Limit } from '../events/exchange.ts';
import type { Services } from '../events/services.ts';
import { promptText, runPrompt } from './prompt.ts';

const limit = (timeoutMs = 20_000, signal = new AbortController().signal): Limit => ({ timeoutMs, signal });
const way = { kind: 'prompt', text: 'Is this safe? $ARGUMENTS' } as const;
const request = { kind: 'send', body: '{"a":1}' } as const;

describe('the text of a prompt hook', () => {
  test('replaces every placeholder by the event, literally', () => {
    expect(promptText('a $ARGUMENTS b $ARGUMENTS', "{$&$'}")).toBe("a {$&$'} b {$&$'}");
  });
  test('appends the event if there is no placeholder', () => {
    expect(promptText('Judge this.', '{}')).toBe('Judge this.\n\n{}');
  });
});

describe('a prompt hook', () => {
  test("returns the judge's answer and passes the model", async () => {
    const asked: unknown[] = [];
    const judge: Services['judge'] = async (prompt, { model, signal }) => {
      asked.push([prompt, model, signal.aborted]);
      return '{"ok":true}';
    };
    expect(await runPrompt({ ...way, model: 'small' }, request, limit(), { judge })).toEqual({
      kind: 'answered',
      status: 200,
      body: '{"ok":true}',
    });
    expect(asked).toEqual([['Is this safe? {"a":1}', 'small', false]]);
  });

  test('without a judge is unavailable, with the name of the service', async () => {
    expect(await runPrompt(way, request, limit(), {})).toEqual({
      kind: 'broken',
      why: {
        kind: 'unavailable',
        detail: "a prompt hook needs the host service 'judge', which this host does not offer",
      },
    });
  });

  test('is broken if its judge fails, hangs, is aborted or does not return a string', async () => {
    const hangs = () => new Promise<string>(() => {});
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 10);
    const replies = await Promise.all([
      runPrompt(way, request, limit(), { judge: () => Promise.reject(new Error('quota')) }),
      runPrompt(way, request, limit(10), { judge: hangs }),
      runPrompt(way, request, limit(20_000, abort.signal), { judge: hangs }),
      runPrompt(way, request, limit(), { judge: async () => ({ ok: true }) as never }),
    ]);
    expect(replies).toEqual([
      { kind: 'broken', why: { kind: 'failed', detail: 'the judge failed: quota' } },
      { kind: 'broken', why: { kind: 'timed-out' } },
      { kind: 'broken', why: { kind: 'aborted' } },
      { kind: 'broken', why: { kind: 'unreadable', detail: 'the judge did not return a string' } },
    ]);
  });

  test("aborts the judge's signal at the deadline", async () => {
    let told = false;
    const judge: Services['judge'] = (_, { signal }) =>
      new Promise(() => signal.addEventListener('abort', () => (told = true)));
    await runPrompt(way, request, limit(10), { judge });
    expect(told).toBe(true);
  });
});
