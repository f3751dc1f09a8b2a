/** Effects of hooks on permissions and on the settings. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, type Callbacks, deny, retry, set } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { somebody, stage, transcript } from './fixtures/stage.ts';

const touch = (name: string) => [
  { calls: [{ tool: 'shell', input: { command: `touch ${name}` } }] },
  { text: 'done' },
];
async function ran(callbacks: Callbacks, asked: unknown[] = [], settings = {}) {
  const ground = stage();
  const agent = await ground.open(touch('asked'), {
    permission: 'ask',
    person: somebody(['once'], asked),
    settings,
    hooks: { hooks: callbacks },
  });
  await agent.prompt('go');
  const there = ['asked', 'changed', 'again'].filter((name) => existsSync(join(ground.cwd, name)));
  return { there, said: transcript(agent)[2] };
}

describe('a change made when permission is asked', () => {
  const change: Callbacks['tool.permission'] = () => set('input', 'command', 'touch changed');

  test('a change made when permission is asked is judged by guards again, shown to the user, and runs', async () => {
    const seen: unknown[] = [];
    const asked: { input?: unknown; changed?: unknown }[] = [];
    const { there } = await ran(
      {
        'tool.before': ({ payload }) => void seen.push(payload.input['command']),
        'tool.permission': change,
      },
      asked,
    );
    expect(seen).toEqual(['touch asked', 'touch changed']);
    expect(asked).toMatchObject([{ input: { command: 'touch changed' }, changed: ['command'] }]);
    expect(there).toEqual(['changed']);
  });

  test('a change made when permission is asked does not run if a guard refuses it, even if it allowed the first form', async () => {
    const { there, said } = await ran({
      'tool.before': ({ payload }) =>
        payload.input['command'] === 'touch changed' ? deny('not that one') : undefined,
      'tool.permission': change,
    });
    expect([there, said]).toEqual([[], 'shell!: shell was blocked: not that one.']);
  });

  test('a change made when permission is asked is not covered by the approval that came with it', async () => {
    const asked: unknown[] = [];
    const both: Callbacks['tool.permission'] = () => [allow(), set('input', 'command', 'touch changed')];
    await ran({ 'tool.permission': both }, asked);
    expect(asked).toHaveLength(1);
    // Control: the same approval without a change replaces the question.
    const none: unknown[] = [];
    expect((await ran({ 'tool.permission': () => allow() }, none)).there).toEqual(['asked']);
    expect(none).toEqual([]);
  });

  test('a change made when permission is asked is judged by the rules, and a further change is refused', async () => {
    const ruled = await ran({ 'tool.permission': change }, [], {
      permission: { mode: 'ask', allow: [], ask: [], deny: ['shell(touch changed)'] },
    });
    expect([ruled.there, ruled.said]).toEqual([[], expect.stringContaining('the rule shell(touch changed)')]);
    const endless = await ran({
      'tool.before': ({ payload }) =>
        payload.input['command'] === 'touch changed' ? set('input', 'command', 'touch again') : undefined,
      'tool.permission': change,
    });
    expect([endless.there, endless.said]).toEqual([[], expect.stringContaining('do not agree')]);
  });
});

describe('a call that was refused', () => {
  test('a refused call may be retried when a tool.denied hook allows it, and the model reads why', async () => {
    const { said } = await ran({
      'tool.before': () => deny('no touching'),
      'tool.denied': () => retry('use a file tool'),
    });
    expect(said).toBe('shell!: shell was blocked: no touching. You may try again: use a file tool.');
  });
});

describe('a user who refuses', () => {
  test('a user who refuses a call can add a message for the model', async () => {
    const ground = stage();
    const agent = await ground.open(touch('asked'), {
      permission: 'ask',
      person: somebody([{ no: 'use the trash' }]),
    });
    await agent.prompt('go');
    expect([existsSync(join(ground.cwd, 'asked')), transcript(agent)[2]]).toEqual([
      false,
      'shell!: shell was blocked: the user refused: use the trash.',
    ]);
  });
});

describe('instructions of the project', () => {
  test('AGENTS.md and CLAUDE.md are read, and duplicate text only once', async () => {
    const systems: string[] = [];
    const ground = stage();
    const watch: Callbacks['model.system'] = ({ payload }) => void systems.push(payload.system.join('\n'));
    const agent = await ground.open([{ text: 'done' }, { text: 'done' }], {
      hooks: { hooks: { 'model.system': watch } },
    });
    writeFileSync(join(ground.cwd, 'AGENTS.md'), 'Speak plainly.');
    writeFileSync(join(ground.cwd, 'CLAUDE.md'), 'Speak plainly.');
    await agent.prompt('go');
    writeFileSync(join(ground.cwd, 'CLAUDE.md'), 'Sign your commits.');
    await agent.prompt('go');
    const count = (text: string, part: string) => text.split(part).length - 1;
    expect(systems.map((text) => [count(text, 'Speak plainly.'), count(text, 'Sign your commits.')])).toEqual(
      [
        [1, 0],
        [1, 1],
      ],
    );
  });
});

test('instructions in parent folders are read up to the root of the repository', async () => {
  const systems: string[] = [];
  const ground = stage();
  const watch: Callbacks['model.system'] = ({ payload }) => void systems.push(payload.system.join('\n'));
  const below = join(ground.cwd, 'packages/one');
  mkdirSync(below, { recursive: true });
  mkdirSync(join(ground.cwd, '.git'));
  writeFileSync(join(ground.cwd, '../AGENTS.md'), 'Of somebody else.');
  writeFileSync(join(ground.cwd, 'AGENTS.md'), 'Of the repository.');
  writeFileSync(join(below, 'CLAUDE.md'), 'Of the package.');
  const agent = await ground.open([{ text: 'done' }], {
    cwd: below,
    hooks: { hooks: { 'model.system': watch } },
  });
  await agent.prompt('go');
  const said = ['Of somebody else.', 'Of the repository.', 'Of the package.'];
  expect(said.map((text) => systems[0]!.includes(text))).toEqual([false, true, true]);
});

describe('a question about a write', () => {
  test('a user sees the diff of a write before the question and after the write', async () => {
    const ground = stage();
    writeFileSync(join(ground.cwd, 'a.txt'), 'one\n');
    const input = { path: 'a.txt', old: 'one', new: 'two' };
    const order: string[] = [];
    const person = somebody(['once']);
    const agent = await ground.open([{ calls: [{ tool: 'edit', input }] }, { text: 'done' }], {
      permission: 'ask',
      person: {
        ...person,
        permit: async (...args) => {
          order.push(...ground.seen.flatMap((one) => (one.kind === 'tool-preview' ? [one.diff] : [])));
          return await person.permit(...args);
        },
      },
    });
    await agent.prompt('go');
    const ended = ground.seen.find((one) => one.kind === 'tool-ended');
    expect(order).toEqual([expect.stringContaining('-one\n+two\n')]);
    expect(ended).toMatchObject({ isError: false, diff: order[0] });
  });

  test('an edit that cannot be applied has no diff and reports the reason when it runs', async () => {
    const ground = stage();
    const input = { path: 'nothing.txt', old: 'one', new: 'two' };
    const agent = await ground.open([{ calls: [{ tool: 'edit', input }] }, { text: 'done' }], {
      permission: 'ask',
      person: somebody(['once']),
    });
    await agent.prompt('go');
    expect(ground.seen.filter(({ kind }) => kind === 'tool-preview')).toEqual([]);
    expect(transcript(agent)[2]).toMatch(/nothing\.txt/);
  });
});

describe('settings', () => {
  test('hooks of config.loaded change the settings of the agent', async () => {
    const forbid: Callbacks['config.loaded'] = () => set('config', 'permission', { mode: 'deny' });
    const { there, said } = await ran({ 'config.loaded': forbid });
    expect([there, said]).toEqual([[], expect.stringContaining('permission mode: deny')]);
    expect((await ran({})).there).toEqual(['asked']);
  });

  test('settings that a hook made invalid keep their values with a notice, and refused settings stop the start', async () => {
    const ground = stage();
    const opened = (answer: Callbacks['config.loaded']) =>
      ground.open([], { hooks: { hooks: { 'config.loaded': answer! } } });
    await opened(() => set('config', 'maxTurns', 'many'));
    expect(ground.seen).toContainEqual({
      kind: 'notice',
      level: 'warning',
      text: expect.stringContaining("'maxTurns' is not used: Invalid input: expected number"),
    });
    await expect(opened(() => deny('not on this machine'))).rejects.toThrow(
      'a hook refuses these settings: not on this machine',
    );
  });
});

describe('a summary that is being made', () => {
  test('an abort during a summary leaves the session unchanged, and the agent continues', async () => {
    const ground = stage();
    const agent = await ground.open({
      main: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
      summary: [
        { text: 'late', delayMs: 20_000 },
        { text: 'late', delayMs: 20_000 },
      ],
    });
    await agent.prompt('first');
    await agent.prompt('second');
    const [first] = agent.current.entries;
    const before = agent.current.leaf;
    const going = agent.navigate(first!.id, { summarize: true });
    setTimeout(() => agent.abort(), 100);
    expect([await going, agent.current.leaf]).toEqual([false, before]);
    const compacting = agent.compact();
    setTimeout(() => agent.abort(), 100);
    await compacting;
    expect(agent.current.entries.some(({ type }) => type === 'compaction')).toBe(false);
    expect(ground.seen.at(-1)).toEqual({ kind: 'stopped', why: 'aborted' });
    await agent.prompt('third');
    expect(transcript(agent).at(-1)).toBe('assistant: three');
  });
});
