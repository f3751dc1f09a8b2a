import { describe, expect, test } from 'vitest';
import { stage } from '../loop/fixtures/stage.ts';

const CALL = [{ calls: [{ tool: 'shell', input: { command: 'echo hi' } }] }, { text: 'done' }];
/** A home folder with one anyhook hook, stored under a name. */
function withHook(run: string) {
  const ground = stage();
  const hook = { match: 'shell', run, name: 'house rules', status: 'looking at it' };
  ground.write('home/.config/anyhook/hooks.json', JSON.stringify({ hooks: { 'tool.before': [hook] } }));
  return ground;
}

describe('reports about hooks', () => {
  test('a hook is shown by its name, and a hook without effects shows no decision', async () => {
    const ground = withHook('true');
    const agent = await ground.open(CALL);
    await agent.prompt('go');
    const told = ground.seen.filter(({ kind }) => kind === 'hook' || kind === 'hook-ended');
    expect(told).toEqual([
      {
        kind: 'hook',
        id: expect.any(String),
        name: 'house rules',
        on: 'tool.before',
        status: 'looking at it',
      },
      {
        kind: 'hook-ended',
        id: expect.any(String),
        name: 'house rules',
        on: 'tool.before',
        ms: expect.any(Number),
        call: expect.any(String),
        decided: '',
      },
    ]);
  });

  test('the built-in guard is shown only when it refuses', async () => {
    const ground = withHook('true');
    const input = { path: `${ground.home}/.config/anyhook/hooks.json`, content: '{}' };
    const agent = await ground.open([{ calls: [{ tool: 'write', input }] }, { text: 'done' }]);
    await agent.prompt('go');
    const told = ground.seen.flatMap((one) => (one.kind === 'hook-ended' ? [[one.name, one.decided]] : []));
    expect(told).toEqual([
      ['keeps the agent from changing its own hooks', expect.stringMatching(/^denied: /)],
    ]);
  });
});
