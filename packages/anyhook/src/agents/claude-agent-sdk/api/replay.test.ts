/** Replays the frames between the real CLI (2.1.325) and us, recorded by `test:clients`. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Ends, opened, type Said } from './fixtures/streams.ts';
import { blockBashPatternHook, CallbackPeer, type HookJSONOutput } from './index.ts';

interface Recorded {
  readonly from: 'sdk' | 'cli';
  readonly frame: Said & { type: string; response?: Said; request?: Said; request_id?: string };
}
const recorded = readFileSync(new URL('./fixtures/transcript.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const of = (from: Recorded['from'], type: string) =>
  recorded.filter((one) => one.from === from && one.frame.type === type).map(({ frame }) => frame);

const nothing = (): HookJSONOutput => ({});
const hooks = {
  PreToolUse: { matcher: 'Bash', hooks: [blockBashPatternHook(['rm -rf'])] },
  PostToolUse: nothing,
  UserPromptSubmit: nothing,
  Stop: nothing,
};

test('as SDK: every frame of the real CLI gets the recorded answer, including the deny', async () => {
  const messages: unknown[] = [];
  const { ends, handler } = opened(hooks, { onMessage: (message) => messages.push(message['type']) });
  const ready = handler.initialize();
  const [initialize] = await ends.hear(1);
  expect(initialize!['request']).toEqual(of('sdk', 'control_request')[0]!.request);
  const [reply] = of('cli', 'control_response');
  ends.put({ ...reply, response: { ...reply!.response, request_id: initialize!['request_id'] } });
  expect(await ready).toMatchObject({ hooks_applied: true, claude_code_version: '2.1.325' });

  const answers = of('sdk', 'control_response');
  for (const { from, frame } of recorded)
    if (from === 'cli' && frame.type !== 'control_response') {
      const before = ends.heard.length;
      ends.put(frame);
      if (frame.type === 'control_request') await ends.hear(before + 1);
    }
  expect(ends.heard.slice(1)).toEqual(answers);
  expect(answers.filter((frame) => JSON.stringify(frame).includes('"deny"'))).toHaveLength(1);
  expect(messages).toEqual(
    recorded
      .filter(({ from, frame }) => from === 'cli' && !frame.type.startsWith('control_'))
      .map(({ frame }) => frame.type),
  );
});

test('as CLI: the recorded initialize is read, and our calls return the recorded answers', async () => {
  const ends = new Ends();
  const peer = new CallbackPeer({ input: ends.input, output: ends.output });
  ends.put(of('sdk', 'control_request')[0]);
  expect(Object.keys(await peer.ready())).toEqual(['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop']);
  for (const { request, request_id } of of('cli', 'control_request')) {
    const { callback_id, input, tool_use_id } = request as {
      callback_id: string;
      input: Said;
      tool_use_id: string;
    };
    const before = ends.heard.length;
    const running = peer.call(callback_id, input, tool_use_id);
    const asked = (await ends.hear(before + 1)).at(-1)!;
    expect(asked['request']).toEqual(request);
    const answer = of('sdk', 'control_response').find(
      ({ response }) => response!['request_id'] === request_id,
    )!;
    ends.put({ ...answer, response: { ...answer.response, request_id: asked['request_id'] } });
    expect(await running).toEqual(answer.response!['response']);
  }
});
