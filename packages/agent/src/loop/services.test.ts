/** The services that hooks may use. */

import { defineHook, type HookHost, type HookSpec } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { stage, transcript } from './fixtures/stage.ts';

/** A hook that gives the test access to its services. */
function inside() {
  let host: HookHost | undefined;
  const hook = defineHook({
    on: 'agent.start',
    run: (_event, given) => void (host = given),
  } satisfies HookSpec<'agent.start'>);
  return { hook, host: () => host! };
}

describe('a hook module', () => {
  test('a hook module sends messages that are hidden or shown, and that wait for the next turn or start one', async () => {
    const ground = stage();
    const { hook, host } = inside();
    const agent = await ground.open(
      [{ text: 'hi' }, { text: 'I heard it.', when: { lastIncludes: 'wake up' } }],
      {
        hooks: { hooks: [hook] },
      },
    );
    await agent.prompt('hello');
    host().messages!.send({ customType: 'note', content: 'only noted', display: true });
    host().messages!.send({ customType: 'alarm', content: 'wake up', display: false }, { trigger: true });
    await agent.waitForIdle();
    expect(transcript(agent)).toEqual([
      'user: hello',
      'assistant: hi',
      'hidden note: only noted',
      'hidden alarm: wake up',
      'assistant: I heard it.',
    ]);
    expect(ground.seen.filter(({ kind }) => kind === 'custom')).toHaveLength(1);
    host().messages!.append!('counter', { n: 1 });
    expect(agent.current.entries.at(-1)).toMatchObject({
      type: 'custom',
      customType: 'counter',
      data: { n: 1 },
    });
  });

  test('a hook module reads the session, controls it and calls tools', async () => {
    const ground = stage();
    const { hook, host } = inside();
    ground.write('project/a.txt', 'from the tool\n');
    const agent = await ground.open([{ text: 'hi' }], { hooks: { hooks: [hook] } });
    await agent.prompt('hello');
    const view = host().session!.view!() as {
      getSessionFile(): string;
      getBranch(): unknown[];
      getUsageStatistics(): { messages: number };
    };
    expect([view.getSessionFile(), view.getBranch().length, view.getUsageStatistics().messages]).toEqual([
      agent.session.file,
      2,
      1,
    ]);
    expect(host().session!.isIdle!()).toBe(true);
    const read = await host().tools!.call!('read', { path: 'a.txt' }, new AbortController().signal);
    expect(JSON.stringify(read)).toContain('from the tool');
    const { id } = agent.session;
    expect(await host().session!.act!('new', {})).toEqual({ cancelled: false });
    expect(agent.session.id).not.toBe(id);
  });
});

describe('the judge', () => {
  test('the judge has a limit of calls, and an answer after the deadline does not count', async () => {
    const ground = stage();
    const { hook, host } = inside();
    const agent = await ground.open(
      { main: [{ text: 'hi' }], judge: [{ text: 'first' }, { text: 'late', delayMs: 5000 }] },
      { hooks: { hooks: [hook] }, settings: { judge: { timeoutMs: 200, maxCalls: 2 } } },
    );
    await agent.prompt('hello');
    const { signal } = new AbortController();
    expect(await host().judge!('?', { signal })).toBe('first');
    await expect(host().judge!('?', { signal })).rejects.toThrow(/abort|time/i);
    await expect(host().judge!('?', { signal })).rejects.toThrow('have asked the model 2 times');
  });
});

describe('calls that only read', () => {
  test('read-only calls are approved one by one, run in parallel and answered in order, and a write waits for them', async () => {
    const ground = stage();
    for (const name of ['a', 'b', 'c']) ground.write(`project/${name}.txt`, `text of ${name}\n`);
    const order: string[] = [];
    const agent = await ground.open(
      [
        {
          calls: [
            { tool: 'read', input: { path: 'a.txt' } },
            { tool: 'read', input: { path: 'b.txt' } },
            { tool: 'write', input: { path: 'c.txt', content: 'new' } },
            { tool: 'read', input: { path: 'c.txt' } },
          ],
        },
        { text: 'read' },
      ],
      {
        hooks: {
          hooks: {
            'tool.before': ({ payload }) => void order.push(`before ${String(payload.input['path'])}`),
            'tool.after': ({ payload }) => void order.push(`after ${String(payload.input['path'])}`),
          },
        },
      },
    );
    await agent.prompt('go');
    expect(order.slice(0, 2)).toEqual(['before a.txt', 'before b.txt']);
    expect(order.slice(2, 4).toSorted()).toEqual(['after a.txt', 'after b.txt']);
    expect(order.slice(4)).toEqual(['before c.txt', 'after c.txt', 'before c.txt', 'after c.txt']);
    expect(
      transcript(agent)
        .slice(2, 6)
        .map((line) => /text of \w|new/.exec(line)?.[0] ?? 'written'),
    ).toEqual(['text of a', 'text of b', 'written', 'new']);
  });
});

describe('hooks that are read again', () => {
  test('reloaded hooks replace the tools and commands of modules', async () => {
    const ground = stage();
    const agent = await ground.open([
      { calls: [{ tool: 'greet', input: { who: 'Ada' } }] },
      { text: 'there is none' },
      { calls: [{ tool: 'greet', input: { who: 'Ada' } }] },
      { text: 'greeted' },
    ]);
    await agent.prompt('greet Ada');
    expect(transcript(agent)[2]).toContain("There is no tool 'greet'");
    ground.write(
      'home/.config/opencode/plugin/greet.js',
      `export const Greet = async () => ({ tool: { greet: {
        description: 'greets', args: {}, execute: async ({ who }) => 'hello ' + who,
      } } });`,
    );
    await agent.hooks.reload();
    await agent.prompt('greet Ada');
    expect(transcript(agent).at(-2)).toContain('greet: hello Ada');
  });
});
