/** A project module that is trusted by its hash runs in its own process and can use the services of the agent. */

import { describe, expect, test } from 'vitest';
import type { Dialogs, Person } from '../front/person.ts';
import { stage, transcript } from './fixtures/stage.ts';

const MODULE = `export default function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    ctx.ui.setStatus('guard', 'guarding ' + ctx.model.id);
    const choice = await ctx.ui.select('Let it run?', ['yes', 'no']);
    const why = await ctx.ui.input('Why?');
    const page = await ctx.ui.editor('Say more', 'prefilled');
    const sure = await ctx.ui.confirm('Sure?', 'really');
    ctx.ui.notify([choice, why, page, sure].join(' '), 'warning');
    if (choice === 'no') return { block: true, reason: why };
  });
  pi.registerCommand('fresh', { description: 'a new session', handler: async (_, ctx) => {
    const known = ctx.modelRegistry.getAll().map((model) => model.id).join(',');
    const { cancelled } = await ctx.newSession({ setup: async (session) => {
      session.appendMessage({ role: 'user', content: 'begun by a module, with ' + known, timestamp: 1 });
    } });
    pi.sendMessage({ customType: 'note', content: 'cancelled: ' + cancelled, display: true });
  } });
}`;

function answering(said: unknown[]): Person {
  const note = (kind: string, answer: unknown) =>
    (async (...args: unknown[]) => {
      said.push([kind, ...args.filter((arg) => typeof arg === 'string')]);
      return answer;
    }) as never; // Each dialog returns its own kind of value.
  const dialogs: Dialogs = {
    select: note('select', 'no'),
    input: note('input', 'the house is closed'),
    editor: note('editor', 'a page'),
    confirm: note('confirm', true),
    notify: (text, level) => void said.push(['notify', text, level]),
    status: (key, text) => void said.push(['status', key, text]),
  };
  return { isThere: true, permit: async () => 'once', dialogs };
}

describe('a trusted module of the project', () => {
  test('a trusted project module asks the user, shows a status, refuses, starts and sets up a session, and sends a message', async () => {
    const ground = stage();
    ground.write('project/.omp/hooks/pre/guard.ts', MODULE);
    const said: unknown[] = [];
    const person = answering(said);
    const steps = [{ calls: [{ tool: 'shell', input: { command: 'touch ran' } }] }, { text: 'I see.' }];

    // Without trust it has no effect.
    const before = await ground.open(steps, { person });
    await before.prompt('go');
    expect([said, before.commands(), transcript(before)[2]]).toEqual([
      [],
      [],
      expect.not.stringContaining('blocked'),
    ]);

    const hashes = before.hooks.examined.map(({ judgement }) => judgement.hash);
    const agent = await ground.open(steps, { person, hooks: { trust: { hashes } } });
    await agent.prompt('go');
    expect(said).toEqual([
      ['status', 'guard', 'guarding scripted'],
      ['select', 'Let it run?'],
      ['input', 'Why?'],
      ['editor', 'Say more', 'prefilled'],
      ['confirm', 'Sure?', 'really'],
      ['notify', 'no the house is closed a page true', 'warning'],
    ]);
    expect(transcript(agent)[2]).toBe('shell!: shell was blocked: the house is closed.');

    const { id } = agent.session;
    expect(await agent.runCommand('fresh', '')).toBe(true);
    expect(agent.session.id).not.toBe(id);
    expect(transcript(agent)).toEqual([
      'user: begun by a module, with scripted',
      'hidden note: cancelled: false',
    ]);
  });
});
