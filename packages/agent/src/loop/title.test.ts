import { set } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { stage } from './fixtures/stage.ts';

const titles = (seen: readonly { kind: string; title?: string }[]) =>
  seen.flatMap((one) => (one.kind === 'session' && one.title !== undefined ? [one.title] : []));

describe('the title of a session', () => {
  test('the small model names a session once, after the first answer, and lists show that name', async () => {
    const ground = stage();
    const small = `scripted:${ground.write('small.json', JSON.stringify({ tracks: { title: [{ text: 'A name\nand more' }] } }))}`;
    const agent = await ground.open([{ text: 'hi' }, { text: 'again' }], { settings: { smallModel: small } });
    await agent.prompt('hello');
    await agent.prompt('once more');
    await agent.close();
    expect(agent.current.title).toBe('A name');
    expect(titles(ground.seen)).toEqual(['A name']);
    const next = await ground.open([]);
    expect(next.sessions().map(({ about }) => about)).toEqual(['A name']);
  });

  test('a session without a small model is named after its first prompt and sends no request', async () => {
    const ground = stage();
    // The script has no title track, so a request would produce a notice.
    const agent = await ground.open([{ text: 'hi' }]);
    await agent.prompt('hello');
    await agent.close();
    expect([agent.current.title, ground.seen.filter(({ kind }) => kind === 'notice')]).toEqual([
      undefined,
      [],
    ]);
    expect((await ground.open([])).sessions().map(({ about }) => about)).toEqual(['hello']);
  });

  test('a hook can choose the model that writes the title', async () => {
    const ground = stage();
    const small = ground.write('small.json', JSON.stringify({ tracks: { title: [{ text: 'By a hook' }] } }));
    const agent = await ground.open([{ text: 'hi' }], {
      hooks: { hooks: { 'model.small': () => set('model', `scripted:${small}`) } },
    });
    await agent.prompt('hello');
    await agent.close();
    expect(agent.current.title).toBe('By a hook');
  });

  test('a title from a hook is kept, and a failing small model only produces a notice', async () => {
    const ground = stage();
    const small = `scripted:${ground.write('small.json', '[]')}`;
    const given = await ground.open([{ text: 'hi' }], {
      settings: { smallModel: small },
      hooks: { hooks: { 'session.start': () => ({ kind: 'give', what: 'title', value: 'Given' }) } },
    });
    await given.prompt('hello');
    await given.close();
    expect([given.current.title, ground.seen.filter(({ kind }) => kind === 'notice')]).toEqual(['Given', []]);
    const failing = await ground.open([{ text: 'hi' }], { settings: { smallModel: small } });
    await failing.prompt('hello');
    await failing.close();
    expect(ground.seen.filter(({ kind }) => kind === 'notice')).toEqual([
      { kind: 'notice', level: 'info', text: expect.stringContaining('the session has no title') },
    ]);
    expect(ground.seen.findLast(({ kind }) => kind === 'stopped')).toEqual({ kind: 'stopped', why: 'done' });
  });
});
