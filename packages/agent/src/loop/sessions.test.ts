import { cancel, context, type EffectFor, give, set } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { stage, transcript } from './fixtures/stage.ts';

const idOf = (agent: Awaited<ReturnType<ReturnType<typeof stage>['open']>>, text: string) =>
  agent.current.entries.find((entry) => JSON.stringify(entry).includes(`"${text}"`))!.id;

describe('sessions', () => {
  test('a session can be resumed in another process by the beginning of its id', async () => {
    const ground = stage();
    const first = await ground.open([{ text: 'I am here.' }]);
    await first.prompt('hello');
    await first.close();
    const next = await ground.open([{ text: 'Still here.', when: { anyIncludes: 'I am here.' } }], {
      start: 'continue',
    });
    await next.prompt('and now?');
    expect(transcript(next)).toEqual([
      'user: hello',
      'assistant: I am here.',
      'user: and now?',
      'assistant: Still here.',
    ]);
    const third = await ground.open([], { start: { resume: first.session.id.slice(0, 8) } });
    expect(third.session.id).toBe(first.session.id);
  });

  test('a hook can keep the user in the session, and otherwise a new session is empty', async () => {
    const ground = stage();
    let isKept = true;
    const agent = await ground.open([{ text: 'hi' }], {
      hooks: { hooks: { 'session.switching': () => (isKept ? cancel('unsaved work') : undefined) } },
    });
    await agent.prompt('hello');
    const { id } = agent.session;
    expect(await agent.newSession()).toBe(false);
    expect(agent.session.id).toBe(id);
    isKept = false;
    expect(await agent.newSession()).toBe(true);
    expect(transcript(agent)).toEqual([]);
    expect(await agent.resume(id)).toBe(true);
    expect(transcript(agent)).toEqual(['user: hello', 'assistant: hi']);
    expect(await agent.resume('/nowhere.jsonl')).toBe(false);
    expect(ground.seen.at(-1)).toEqual({
      kind: 'notice',
      level: 'error',
      text: expect.stringContaining('/nowhere.jsonl: there is no such file'),
    });
  });

  test('a branch starts before the chosen prompt, or has the whole conversation if a hook requests it', async () => {
    const ground = stage();
    let gift: EffectFor<'session.branching'> | undefined;
    const agent = await ground.open([{ text: 'one' }, { text: 'two' }], {
      hooks: { hooks: { 'session.branching': () => gift } },
    });
    await agent.prompt('first');
    await agent.prompt('second');
    const file = agent.session.file;
    expect(await agent.branch(idOf(agent, 'second'))).toBe(true);
    expect(transcript(agent)).toEqual(['user: first', 'assistant: one']);
    expect(agent.current.header.parentSession).toBe(file);
    await agent.resume(file);
    gift = give('skip-restore', true);
    await agent.branch(idOf(agent, 'second'));
    expect(transcript(agent)).toHaveLength(4);
    expect(await agent.branch('nothing')).toBe(false);
  });

  test('navigating stores a summary of the old branch on request, written by the model or a hook', async () => {
    const ground = stage();
    let gift: EffectFor<'session.navigating'> | undefined;
    const agent = await ground.open(
      { main: [{ text: 'one' }, { text: 'two' }, { text: 'three' }], summary: [{ text: 'we tried two' }] },
      { hooks: { hooks: { 'session.navigating': () => gift } } },
    );
    await agent.prompt('first');
    const one = agent.current.leaf!;
    await agent.prompt('second');
    expect(await agent.navigate(one, { summarize: true })).toBe(true);
    expect(transcript(agent)).toEqual(['user: first', 'assistant: one', 'branchSummary: we tried two']);
    gift = give('summary', { summary: 'as the hook saw it' });
    await agent.prompt('third');
    await agent.navigate(one, { summarize: true });
    expect(transcript(agent).at(-1)).toBe('branchSummary: as the hook saw it');
    await agent.navigate(one, { summarize: false });
    expect(transcript(agent)).toEqual(['user: first', 'assistant: one']);
    expect(
      agent
        .spots()
        .filter(({ about }) => about !== '(end)')
        .map(({ about }) => about),
    ).toEqual(['first', 'second', 'third']);
  });
});

describe('compaction', () => {
  test('compaction on request replaces everything before the last exchange and follows the instructions of the user', async () => {
    const ground = stage();
    const agent = await ground.open({
      main: [
        { text: 'one' },
        { text: 'two' },
        { text: 'I remember.', when: { anyIncludes: 'all about one' } },
      ],
      summary: [{ text: 'all about one', when: { lastIncludes: 'keep the names' } }],
    });
    await agent.prompt('first');
    await agent.prompt('second');
    await agent.compact('keep the names');
    expect(transcript(agent)).toEqual(['compactionSummary: all about one', 'user: second', 'assistant: two']);
    await agent.prompt('third');
    expect(transcript(agent).at(-1)).toBe('assistant: I remember.');
  });

  test('a hook can provide a compaction, cancel it or change its prompt', async () => {
    const ground = stage();
    let said: EffectFor<'compaction.before'> | undefined = cancel('not now');
    const agent = await ground.open(
      {
        main: [{ text: 'one' }, { text: 'two' }],
        summary: [{ text: 'asked differently', when: { lastIncludes: 'in one word\n\nkeep the plan' } }],
      },
      {
        hooks: {
          hooks: {
            'compaction.before': () => said,
            'compaction.prompt': () => [
              set('prompt', 'in one word'),
              set('context', ['keep the plan']),
              give('preserve', { todo: 1 }),
            ],
            'compaction.after': () => context('rules again'),
          },
        },
      },
    );
    await agent.prompt('first');
    await agent.prompt('second');
    await agent.compact();
    expect(transcript(agent)).toHaveLength(4);
    said = give('compaction', { summary: 'by hand', firstKeptEntryId: 'nowhere', tokensBefore: 5 });
    await agent.compact();
    expect(transcript(agent)).toEqual([
      'compactionSummary: by hand',
      'user: second',
      'assistant: two',
      'hidden context: <context>\nrules again\n</context>',
    ]);
    said = undefined;
    await agent.compact();
    expect(transcript(agent)[0]).toBe('compactionSummary: asked differently');
    expect(agent.current.entries.findLast(({ type }) => type === 'compaction')).toMatchObject({
      preserved: [{ todo: 1 }],
      fromHook: false,
    });
  });

  test('compaction runs automatically at the threshold and when the window overflows', async () => {
    const ground = stage();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const callbacks = {
      'autocompaction.start': ({ payload }: { payload: { reason: string } }) =>
        void order.push(payload.reason),
      'compaction.after': note('after'),
      'autocompaction.end': note('end'),
    };
    const agent = await ground.open(
      {
        main: [
          { text: 'one', usage: { input: 90_000, output: 1 } },
          { text: 'two' },
          { error: { status: 400, message: 'prompt is too long: 210000 tokens' } },
          { text: 'three' },
        ],
        summary: [{ text: 'short', repeat: true }],
      },
      { hooks: { hooks: callbacks } },
    );
    await agent.prompt('first');
    expect(order).toEqual([]);
    await agent.prompt('second');
    expect(order).toEqual(['threshold', 'after', 'end']);
    await agent.prompt('third');
    expect(order.slice(3)).toEqual(['overflow', 'after', 'end']);
    expect(transcript(agent)).toEqual(['compactionSummary: short', 'user: third', 'assistant: three']);
  });
});
