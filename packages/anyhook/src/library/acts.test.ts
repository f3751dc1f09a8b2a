import { describe, expect, test } from 'vitest';
import { allow, defineHook, deny, type Definition, set } from '../index.ts';
import { ground } from './fixtures/ground.ts';

const PATCH = [
  '*** Begin Patch',
  '*** Add File: .env',
  '+KEY=1',
  '*** Update File: readme.md',
  '@@',
  '-old',
  '+new',
  '*** End Patch',
].join('\n');
const call = { name: 'tool.before', payload: { tool: 'apply_patch', input: { command: PATCH } } } as const;
const fired = async (...hooks: Definition<'tool.before'>[]) =>
  (await ground().open({ journal: false, hooks })).fire(call);
const guard = (match: string, run: Definition<'tool.before'>['run']) =>
  defineHook({ on: 'tool.before', match, run });

describe('a patch of several files', () => {
  test.each([
    ['write(*.env)', 'deny'],
    ['write(*.md)', 'none'],
    ['edit(*.env)', 'none'],
    ['edit(*.md)', 'deny'],
    ['Write', 'deny'],
    ['read', 'none'],
    ['apply_patch', 'deny'],
  ])('a guard for %s judges the call: %s', async (match, verdict) => {
    expect((await fired(guard(match, () => deny('no')))).verdict).toBe(verdict);
  });

  test('a guard sees a patch one act at a time, and one refusal refuses the whole patch', async () => {
    const seen: unknown[] = [];
    const outcome = await fired(
      defineHook({
        on: 'tool.before',
        run: ({ payload }) => {
          seen.push([payload.tool, payload.input['path']]);
          return payload.tool === 'edit' ? deny('not the readme') : undefined;
        },
      }),
    );
    expect(seen).toEqual([
      ['write', '.env'],
      ['edit', 'readme.md'],
    ]);
    expect([outcome.verdict, outcome.reason]).toEqual(['deny', 'not the readme']);
  });

  test('an approval counts only if it covers every act of the patch', async () => {
    expect((await fired(guard('write', () => allow()))).verdict).toBe('none');
    expect((await fired(guard('write|edit', () => allow()))).verdict).toBe('allow');
  });

  test('changes of two acts are merged back under the caller’s field name', async () => {
    const { payload } = await fired(
      guard('write|edit', ({ payload: { tool } }) =>
        tool === 'write' ? set('input', 'path', 'env.txt') : set('input', 'new', 'newer'),
      ),
    );
    expect(payload).toEqual({
      tool: 'apply_patch',
      input: { command: PATCH.replace('.env', 'env.txt').replace('+new', '+newer') },
    });
  });

  test('a change that cannot be expressed becomes a question and leaves the call unchanged', async () => {
    const outcome = await fired(guard('write', () => set('input', 'mode', '755')));
    expect([outcome.verdict, outcome.payload]).toEqual(['ask', call.payload]);
  });

  test('formatters are notified of each file in a patch', async () => {
    const files: unknown[] = [];
    const hooks = await ground().open({
      journal: false,
      host: { name: 'plain', can: { 'tool.before': { deny: 'full' }, 'tool.after': {} } },
      hooks: { 'file.edited': ({ payload }) => void files.push(payload.file) },
    });
    await hooks.fire({ name: 'tool.after', payload: { ...call.payload, content: [] } });
    expect(files).toEqual(['.env', 'readme.md']);
  });
});

test('a host without a stop event runs its stop hooks when the agent is idle', async () => {
  const heard: unknown[] = [];
  const open = (can: object) =>
    ground().open({
      journal: false,
      host: { name: 'plain', can },
      hooks: { 'turn.stop': ({ name, payload }) => void heard.push([name, payload]) },
    });
  await (await open({ 'agent.idle': {} })).fire({ name: 'agent.idle', payload: {} });
  await (await open({ 'agent.end': {} })).fire({ name: 'agent.end', payload: { messages: [] } });
  await (await open({ 'turn.stop': {}, 'agent.idle': {} })).fire({ name: 'agent.idle', payload: {} });
  const stop = ['turn.stop', { active: false }];
  expect(heard).toEqual([stop, stop]);
});
