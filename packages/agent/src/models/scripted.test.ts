import {
  APICallError,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  type TextStreamPart,
  tool,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { NoModel } from './no-model.ts';
import { readScript } from './script.ts';
import { scriptedModel } from './scripted.ts';
import { onTrack } from './track.ts';

const play = (script: string) => scriptedModel(readScript(script, 'play.yaml'));
const echo = tool({
  inputSchema: jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } }),
  execute: async ({ text }) => `echo: ${text}`,
});
const ask = (model: ReturnType<typeof play>, prompt: string, more: object = {}) =>
  generateText({ model, prompt, maxRetries: 0, ...more });

describe('a scripted model', () => {
  test('a scripted model streams the text and calls of its steps in a loop of the AI SDK', async () => {
    const model = play(`
- text: Let me see.
  thinking: Hm.
  calls: [{ tool: echo, input: { text: one } }, { tool: echo, input: { text: two } }]
- when: { lastIncludes: 'echo: two' }
  text: Both came back.
`);
    const { steps, text } = await generateText({
      model,
      prompt: 'go',
      tools: { echo },
      stopWhen: stepCountIs(5),
    });
    expect(text).toBe('Both came back.');
    expect(steps[0]?.reasoningText).toBe('Hm.');
    expect(
      steps[0]?.toolResults.map(({ toolCallId, input, output }) => ({ toolCallId, input, output })),
    ).toEqual([
      { toolCallId: 'call-1', input: { text: 'one' }, output: 'echo: one' },
      { toolCallId: 'call-2', input: { text: 'two' }, output: 'echo: two' },
    ]);
  });

  test('a scripted model streams text, reasoning and input in pieces that add up', async () => {
    const model = play(`
- thinking: A thought of some length.
  text: "Words, one after\\n\\nthe other: 👩‍👩‍👧 and so on."
  calls: [{ tool: echo, input: { text: a rather long input } }]
`);
    const parts: TextStreamPart<{ echo: typeof echo }>[] = [];
    const run = streamText({ model, prompt: 'go', tools: { echo } });
    for await (const part of run.fullStream) parts.push(part);
    const deltas = (type: string) =>
      parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : []));
    expect(deltas('text-delta').length).toBeGreaterThan(5);
    expect(deltas('text-delta').join('')).toBe('Words, one after\n\nthe other: 👩‍👩‍👧 and so on.');
    expect(deltas('reasoning-delta').join('')).toBe('A thought of some length.');
    expect(parts.filter(({ type }) => type === 'tool-input-delta').length).toBeGreaterThan(1);
    expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({
      input: { text: 'a rather long input' },
    });
  });

  test('a condition delays a step, and a repeated step answers every time', async () => {
    const model = play(`
- when: { lastIncludes: denied, anyLacks: nothing }
  text: Then not.
- text: First.
- text: Always.
  repeat: true
`);
    const said = [];
    for (const prompt of ['hello', 'hello', 'it was denied', 'denied again'])
      said.push((await ask(model, prompt)).text);
    expect(said).toEqual(['First.', 'Always.', 'Then not.', 'Always.']);
  });

  test('each track has its own steps, and each conversation starts its track from the beginning', async () => {
    const model = play(`
tracks:
  main: [{ text: main }]
  judge: [{ text: '{"ok":true}', repeat: true }]
  task: [{ text: any task }]
  task:review: [{ text: one }, { text: two }]
`);
    const on = async (...where: Parameters<typeof onTrack>) =>
      (await ask(model, 'go', { providerOptions: onTrack(...where) })).text;
    expect([
      await on('task:review', 'a'),
      await on('task:review', 'b'),
      await on('task:review', 'a'),
      await on('task:search', 'c'),
      await on('judge'),
      await on('judge'),
      await on('main'),
    ]).toEqual(['one', 'one', 'two', 'any task', '{"ok":true}', '{"ok":true}', 'main']);
    await expect(on('summary')).rejects.toThrow(
      "play.yaml: the script has no track 'summary', and was asked for it. It has: main, judge, task, task:review.",
    );
  });

  test('a scripted provider error has the form of a real one', async () => {
    const model = play(`
- error: { status: 429, message: slow down, retryAfterMs: 1500 }
- error: { status: 401, message: who are you }
- text: at last
`);
    const first = await ask(model, 'go').catch((error: unknown) => error);
    expect(APICallError.isInstance(first)).toBe(true);
    expect(first).toMatchObject({
      message: 'slow down',
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { 'retry-after': '2', 'retry-after-ms': '1500' },
    });
    expect(await ask(model, 'go').catch((error: unknown) => error)).toMatchObject({
      statusCode: 401,
      isRetryable: false,
    });
    expect((await ask(model, 'go')).text).toBe('at last');
  });

  test('the AI SDK retries a scripted provider error and reaches the next step', async () => {
    const model = play(`
- error: { status: 529, message: overloaded, retryAfterMs: 1 }
- text: at last
`);
    expect((await generateText({ model, prompt: 'go', maxRetries: 1 })).text).toBe('at last');
  });

  test('a scripted cut stream returns the partial text and then a connection error', async () => {
    const model = play('- { text: half of it, cut: true }');
    const { stream } = await model.doStream({ prompt: [] });
    const heard: string[] = [];
    const reading = (async () => {
      for await (const part of stream) if (part.type === 'text-delta') heard.push(part.delta);
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: 'Failed to process successful response',
      statusCode: 200,
      isRetryable: true,
      cause: { message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } },
    });
    expect(heard.join('')).toBe('half of it');
  });

  test('an abort ends a delay and a stream immediately', async () => {
    const slow = play('- { text: late, delayMs: 600000 }\n- { text: a b c d e f, pieceMs: 600000 }');
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), 20);
    await expect(slow.doStream({ prompt: [], abortSignal: waiting.signal })).rejects.toThrow('aborted');
    const reading = new AbortController();
    const { stream } = await slow.doStream({ prompt: [], abortSignal: reading.signal });
    setTimeout(() => reading.abort(), 20);
    const reader = stream.getReader();
    await expect(reader.read()).resolves.toMatchObject({ value: { type: 'stream-start' } });
    await expect(reader.read()).rejects.toThrow('aborted');
  });

  test('usage comes from the step, or from an estimate that grows with the prompt', async () => {
    const model = play('- { text: a, usage: { input: 90000, output: 7 } }\n- text: b\n- text: b');
    const usages = [];
    for (const prompt of ['x', 'x', 'x'.repeat(4000)]) usages.push((await ask(model, prompt)).usage);
    expect(usages[0]).toMatchObject({ inputTokens: 90_000, outputTokens: 7 });
    expect(usages[2]!.inputTokens! - usages[1]!.inputTokens!).toBeGreaterThan(900);
  });

  test('a finished script reports its progress and the request', async () => {
    const model = play('- text: only');
    await ask(model, 'one');
    const error = await ask(model, 'and now?').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoModel);
    expect((error as Error).message).toBe(
      "play.yaml: the track 'main' is at its end: 1 of its 1 steps were played and no other fits. " +
        'Add a step; what it would answer: "and now?"',
    );
  });
});

describe('a broken script', () => {
  test.each([
    ['- text: "never closed', 'play.yaml:1:22: '],
    ['- text: a\n- txet: b', 'play.yaml:2:3: 1: Unrecognized key: "txet"'],
    ['tracks:\n  main:\n    - calls:\n        - tool: 3', 'play.yaml:4:17: tracks.main.0.calls.0.tool: '],
    ['tracks: { side: [] }', 'play.yaml:1:17: tracks.side: '],
    ['[{"text": 5}]', 'play.yaml:1:11: 0.text: '],
    ['', 'play.yaml:1:1: the script: '],
    ['- error: { status: 200, message: x }', 'play.yaml:1:20: 0.error.status: '],
  ])('the broken script %j is rejected with the location', (text, said) => {
    let message = '';
    try {
      readScript(text, 'play.yaml');
    } catch (error) {
      expect(error).toBeInstanceOf(NoModel);
      message = (error as Error).message;
    }
    expect(message.slice(0, said.length)).toBe(said);
  });

  test('a broken script reports every error, not only the first', () => {
    expect(() => readScript('- text: 1\n- text: 2', 'play.yaml')).toThrow(
      /^play.yaml:1:9: .*\nplay.yaml:2:9: /,
    );
  });
});
