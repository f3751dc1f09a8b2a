/** Redactors of messages in a host without a message event: they see the data that the model is about to read instead. */

import { describe, expect, test } from 'vitest';
import type { Capabilities } from '../events/capabilities.ts';
import type { EventInput } from '../events/event.ts';
import { type Options, set } from '../index.ts';
import { ground, type TestGround } from './fixtures/ground.ts';

const hide = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('KEY', '***'));
const OPENCODE = `export const Redactor = async () => ({
  'experimental.chat.messages.transform': async (_input, output) => {
    for (const { parts } of output.messages)
      for (const part of parts) {
        if (part.type === 'text') part.text = part.text.replaceAll('KEY', '***');
        if (part.type !== 'tool') continue;
        for (const key of ['output', 'error'])
          if (part.state[key] !== undefined) part.state[key] = part.state[key].replaceAll('KEY', '***');
        part.state.input = JSON.parse(JSON.stringify(part.state.input).replaceAll('KEY', '***'));
      }
  },
});`;
const PI = `export default (pi) => {
  pi.on('context', ({ messages }) => ({ messages: JSON.parse(JSON.stringify(messages).replaceAll('KEY', '***')) }));
};`;
/** The same redactor in the style of each dialect. */
const REDACTORS = {
  opencode: () => ground({ 'home/.config/opencode/plugin/redactor.js': OPENCODE }),
  'oh-my-pi': () => ground({ 'home/.omp/agent/extensions/redactor.js': PI }),
  anyhook: () => ground(),
} as const;

/** Like Claude Code: results can be changed, prompts only refused. */
const CHANGES: Capabilities = {
  'prompt.submit': { deny: 'full', context: 'full' },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { context: 'full' },
};
/** Like Goose. */
const NOTHING: Capabilities = { 'prompt.submit': {}, 'tool.after': {}, 'tool.failed': {} };

const prompt = (text: string) => ({ name: 'prompt.submit', payload: { prompt: text } }) as const;
const result = (text: string): EventInput<'tool.after'> => ({
  name: 'tool.after',
  payload: { tool: 'shell', input: { command: 'echo KEY' }, content: [{ type: 'text', text }] },
  ids: { call: 'c1' },
});
const failure = (error: string) =>
  ({ name: 'tool.failed', payload: { tool: 'shell', input: {}, error }, ids: { call: 'c1' } }) as const;

const OURS: Partial<Options> = {
  hooks: { 'model.context': ({ payload }) => set('messages', hide(payload.messages)) },
};
const openWith = (place: TestGround, can: Capabilities, more: Partial<Options>) =>
  place.open({ host: { name: 'test', can }, journal: false, ...more });

describe.each(Object.keys(REDACTORS) as (keyof typeof REDACTORS)[])(
  'a redactor written for %s',
  (dialect) => {
    const open = (can: Capabilities) =>
      openWith(REDACTORS[dialect](), can, dialect === 'anyhook' ? OURS : {});

    test('a redactor for %s redacts only results, refuses a prompt that cannot be changed, and reports what it cannot do', async () => {
      const hooks = await open(CHANGES);
      expect(hooks.problems).toEqual([]);
      const { payload, changed } = await hooks.fire(result('the KEY\nis KEY'));
      expect([payload, changed.map(({ at }) => at)]).toEqual([
        { ...result('').payload, content: [{ type: 'text', text: 'the ***\nis ***' }] },
        ['content'],
      ]);
      const [clean, secret] = [await hooks.fire(prompt('hello')), await hooks.fire(prompt('use KEY'))];
      expect([clean.proceed, clean.lost, secret.proceed, secret.reason]).toEqual([
        'yes',
        [],
        'no',
        'this host cannot change prompt; to switch off the hook that asks for it, run: anyhook hooks',
      ]);
      const failed = await hooks.fire(failure('no KEY'));
      expect([failed.payload, failed.forPerson]).toEqual([
        failure('no KEY').payload,
        ['this host cannot change error'],
      ]);
    });
  },
);

describe('a redactor', () => {
  const open = (can: Capabilities) => openWith(ground(), can, OURS);

  test('a redactor reports each time if nothing can be changed or refused', async () => {
    const hooks = await open(NOTHING);
    const said = async (event: Parameters<typeof hooks.fire>[0]) => (await hooks.fire(event)).forPerson;
    expect([await said(prompt('use KEY')), await said(result('KEY')), await said(result('fine'))]).toEqual([
      [expect.stringContaining('NOT enforced')],
      ['this host cannot change content'],
      [],
    ]);
  });

  test('a redactor changes a prompt that can be changed', async () => {
    const hooks = await open({ 'prompt.submit': { set: 'full' } });
    const { proceed, payload } = await hooks.fire(prompt('use KEY'));
    expect([proceed, payload]).toEqual(['yes', { prompt: 'use ***' }]);
  });

  test('a redactor is called only for messages in a host that has them', async () => {
    const hooks = await open({ ...CHANGES, 'model.context': { set: 'full' } });
    const { payload } = await hooks.fire(result('KEY'));
    expect([payload, hooks.wants['tool.after'], hooks.wants['model.context']]).toEqual([
      result('KEY').payload,
      false,
      true,
    ]);
  });
});

test('two redactors chain, and neither undoes the other', async () => {
  const over = (from: string, to: string) =>
    `export const R = async () => ({ 'experimental.chat.messages.transform': async (_i, output) => {
      for (const { parts } of output.messages) for (const part of parts)
        if (part.type === 'tool') part.state.output = part.state.output.replaceAll('${from}', '${to}');
    } });`;
  const hooks = await ground({
    'home/.config/opencode/plugin/a.js': over('KEY', '***'),
    'home/.config/opencode/plugin/b.js': over('word', '+++'),
    'home/.omp/agent/extensions/c.js': PI.replace('KEY', 'third').replace("'***'", "'###'"),
  }).open({ host: { name: 'test', can: CHANGES }, journal: false });
  const { payload } = await hooks.fire(result('KEY word third'));
  expect(payload['content']).toEqual([{ type: 'text', text: '*** +++ ###' }]);
});

test('text added beside a prompt reaches the model; text added beside a result is only recorded', async () => {
  const more = { role: 'user', content: 'Remember the rules.' };
  const hooks = await ground().open({
    host: { name: 'test', can: CHANGES },
    journal: false,
    hooks: { 'model.context': ({ payload }) => set('messages', [...payload.messages, more]) },
  });
  const [asked, ran] = [await hooks.fire(prompt('hello')), await hooks.fire(result('fine'))];
  expect([asked.proceed, asked.forModel]).toEqual(['yes', ['Remember the rules.']]);
  expect([ran.payload, ran.forModel, ran.runs.map(({ ignored }) => ignored?.map(({ why }) => why))]).toEqual([
    result('fine').payload,
    [],
    [['cannot be done at this event']],
  ]);
});

test('a redactor sees a patch of several files as one result', async () => {
  const seen: unknown[] = [];
  const hooks = await ground().open({
    host: { name: 'test', can: CHANGES },
    journal: false,
    hooks: { 'model.context': ({ payload }) => void seen.push(payload.messages.length) },
  });
  await hooks.fire({
    name: 'tool.after',
    payload: {
      tool: 'multi-edit',
      input: {
        path: 'a',
        edits: [
          { oldText: '1', newText: '2' },
          { oldText: '3', newText: '4' },
        ],
      },
      content: [],
    },
  });
  expect(seen).toEqual([2]);
});
