/** For the compiler: what a program may say to `createHooks`, and what it may not. */
import { allow, context, createHooks, defineHook, deny, type Hooks, type Options } from '../index.ts';

const host = { name: 'x', can: {} };

/** Only effects that count on an event can be said of it. */
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
  // @ts-expect-error a refusal does not count there
  { 'tool.after': () => deny('no') },
];

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
