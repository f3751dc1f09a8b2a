import { set } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { stage } from './fixtures/stage.ts';

const titles = (seen: readonly { kind: string; title?: string }[]) =>
  seen.flatMap((one) => (one.kind === 'session' && one.title !== undefined ? [one.title] : []));

describe('the title of a session', () => {
  test('is made by the small model after the first answer, once, and lists name the session by it', async () => {
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

  test('costs no request where there is no small model: the first prompt is its name', async () => {
    const ground = stage();
    // The script has no track for titles: a request would be a notice.
    const agent = await ground.open([{ text: 'hi' }]);
    await agent.prompt('hello');
    await agent.close();
    expect([agent.current.title, ground.seen.filter(({ kind }) => kind === 'notice')]).toEqual([
      undefined,
      [],
    ]);
    expect((await ground.open([])).sessions().map(({ about }) => about)).toEqual(['hello']);
  });

  test('is made by the model that a hook names', async () => {
    const ground = stage();
    const small = ground.write('small.json', JSON.stringify({ tracks: { title: [{ text: 'By a hook' }] } }));
    const agent = await ground.open([{ text: 'hi' }], {
      hooks: { hooks: { 'model.small': () => set('model', `scripted:${small}`) } },
    });
    await agent.prompt('hello');
    await agent.close();
    expect(agent.current.title).toBe('By a hook');
  });

  test('that a hook gave stays, and a small model that fails costs a line and nothing else', async () => {
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
