/** Type tests for the options of `createHooks`. */

import {
  allow,
  context,
  createHooks,
  defineHook,
  deny,
  give,
  type Hooks,
  type Options,
  set,
} from '../index.ts';

const host = { name: 'x', can: {} };

/** Only effects that apply to an event are accepted for it. */
export const CAN: readonly Options['host']['can'][] = [
  { 'tool.before': { deny: 'full', ask: { as: 'deny' }, context: { as: 'notice' } } },
  // @ts-expect-error nothing can be changed any more
  { 'tool.denied': { set: 'full' } },
  // @ts-expect-error no such event
  { 'tool.befor': { deny: 'full' } },
  // @ts-expect-error no such effect
  { 'tool.before': { dney: 'full' } },
  // @ts-expect-error no such grade
  { 'tool.before': { deny: 'ful' } },
  { 'session.start': { give: { only: ['title'] } } },
  // @ts-expect-error no such gift
  { 'session.start': { give: { only: ['titl'] } } },
  // @ts-expect-error only gifts can be taken in part
  { 'tool.before': { deny: { only: ['title'] } } },
  // @ts-expect-error each effect has a grade
  { 'tool.before': ['deny'] },
  // @ts-expect-error a host says what it does
  'everything',
];

export const HOOKS: readonly Options['hooks'][] = [
  [defineHook({ on: 'tool.before', run: () => deny('no') })],
  { 'tool.before': ({ payload }) => (payload.tool === 'shell' ? deny('no') : undefined) },
  { 'tool.before': [{ match: 'shell', run: () => deny('no') }, () => allow()] },
  { PreToolUse: { matcher: 'Bash', hooks: [() => ({ decision: 'block' })] } },
  [
    defineHook({ on: 'tool.before', run: () => deny('no') }),
    { 'tool.after': () => context('done'), Stop: () => ({}) },
  ],
  // @ts-expect-error no such event
  { 'tool.befor': () => deny('no') },
  // @ts-expect-error an effect of ours is no answer of the Agent SDK
  { PreToolUse: () => deny('no') },
  // @ts-expect-error a refusal does not count there
  { 'tool.after': () => deny('no') },
];

/** The payloads of `set` and `give` depend on the event of the hook. */
export const CHANGES = [
  defineHook({ on: 'tool.before', run: () => [set('input', 'command', 'ls'), context('x')] }),
  defineHook({ on: 'tool.after', run: async () => set('content', [{ type: 'text', text: 'x' }]) }),
  defineHook({ on: 'session.start', run: () => give('title', 'x') }),
  // @ts-expect-error no event has such a field
  defineHook({ on: 'tool.before', run: () => set('inptu', {}) }),
  // @ts-expect-error nor in a list, nor later
  defineHook({ on: 'tool.before', run: async () => [set('inptu', {}), context('x')] }),
  // @ts-expect-error the arguments are an object
  defineHook({ on: 'tool.before', run: () => set('input', 5) }),
  // @ts-expect-error another event has this field
  defineHook({ on: 'tool.before', run: () => set('content', []) }),
  // @ts-expect-error a list is expected
  defineHook({ on: 'tool.after', run: () => set('content', 5) }),
  // @ts-expect-error a text is expected
  defineHook({ on: 'session.start', run: () => give('title', 5) }),
  // @ts-expect-error no such gift
  defineHook({ on: 'session.start', run: () => give('titl', 'x') }),
  // @ts-expect-error it does not count there
  defineHook({ on: 'tool.before', run: () => give('compaction', { summary: 'x' }) }),
];

/** The published types of the Agent SDK also reject an effect of ours. */
// @ts-expect-error an effect of ours is no answer of the Agent SDK
export const MISPLACED = () => createHooks({ host, hooks: { PreToolUse: async () => deny('no') } });

export async function fires(hooks: Hooks): Promise<void> {
  const { gift, payload } = await hooks.fire({ name: 'session.start', payload: {} });
  const title: string | undefined = gift('title');
  // @ts-expect-error the summary is no text
  const summary: string | undefined = gift('compaction');
  // @ts-expect-error no such gift
  void [payload, title, summary, gift('titl')];
  // @ts-expect-error no such part of an event
  await hooks.fire({ name: 'session.start', paylod: {} });
  // @ts-expect-error no such id
  await hooks.fire({ name: 'session.start', payload: {}, ids: { sesion: 's' } });
  // @ts-expect-error the tool has a name
  await hooks.fire({ name: 'tool.before', payload: { tool: 5, input: {} } });
  // @ts-expect-error a tool has a function `execute`
  hooks.wrapTool({ name: 'x', run: () => 1 });
}

export async function registers(hooks: Hooks): Promise<void> {
  const off: () => void = hooks.on('tool.before', ({ payload }) =>
    payload.tool === 'shell' ? deny('no') : undefined,
  );
  hooks.on('tool.before', {
    match: 'shell',
    timeoutMs: 5,
    run: async (_, { signal }) => void signal.aborted,
  });
  // @ts-expect-error no such event
  hooks.on('tool.befor', () => deny('no'));
  // @ts-expect-error a refusal does not count there
  hooks.on('tool.after', () => deny('no'));
  // @ts-expect-error no such key
  hooks.on('tool.before', { mtach: 'shell', run: () => undefined });
  // @ts-expect-error no such event
  void hooks.wants['tool.befor'];
  off();
}

export async function disposes(): Promise<void> {
  await using hooks = await createHooks({ host });
  await hooks.fire({ name: 'agent.start', payload: {} });
  // @ts-expect-error options stand in groups
  await createHooks({ host, budgetMs: 5 });
}
