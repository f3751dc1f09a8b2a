import { describe, expect, test } from 'vitest';
import { hookFor } from '../agents/claude-code/dialect/fixtures/hook-for.ts';
import type { Hook, Layer } from '../events/hook.ts';
import { NEVER } from '../events/signal.ts';
import { makeRun } from '../runs/runs.ts';

/** An address of a private network that does not exist here: it is either refused at once or tried. */
const hook = (layer: Layer): Hook => {
  const made = hookFor('Stop', { type: 'http', url: 'http://10.255.255.254:9/' });
  return { ...made, origin: { ...made.origin, layer } };
};
const hands = {
  commands: () => {
    throw new Error('no command is run here');
  },
  services: {},
  depthLimit: { spend: () => '', env: {}, close() {} },
};
async function isTried(layer: Layer, more: { readonly isGated?: true } = {}): Promise<boolean> {
  const run = makeRun({ ...hands, ...more } as Parameters<typeof makeRun>[0]);
  const reply = await run(hook(layer), { kind: 'send', body: '{}' }, { timeoutMs: 100, signal: NEVER });
  return !JSON.stringify(reply).includes('is a private address');
}

describe('a private address', () => {
  test('a private address is reached by the user’s own hooks', async () => {
    expect([await isTried('user'), await isTried('managed'), await isTried('session')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a private address is reached by project hooks only where they were trusted', async () => {
    expect([await isTried('project'), await isTried('project', { isGated: true })]).toEqual([false, true]);
  });
});
