import { expect, test } from 'vitest';
import type { Offers } from '../events/offers.ts';
import { NO_OFFERS } from '../events/offers.ts';
import { offered, offeredLines } from './list.ts';

const origin = { layer: 'user', file: '/home/me/plugin.ts', line: 1 } as const;
const offers: Offers = {
  tools: [
    {
      name: 'greet',
      description: 'Says hello',
      parameters: {},
      origin,
      execute: async () => ({ output: '' }),
    },
  ],
  commands: [{ name: 'review', description: 'Looks again', origin, run: async () => {} }],
  renderers: [{ type: 'diff', origin, render: async () => undefined }],
  auth: [{ provider: 'acme', origin, methods: [{ kind: 'oauth', label: 'In the browser', prompts: [] }] }],
};

test('tools, commands, renderers and logins of modules are listed with their file', () => {
  expect(offered(offers)).toEqual([
    { kind: 'tool', name: 'greet', about: 'Says hello', file: '/home/me/plugin.ts' },
    { kind: 'command', name: '/review', about: 'Looks again', file: '/home/me/plugin.ts' },
    { kind: 'renderer', name: 'diff', file: '/home/me/plugin.ts' },
    { kind: 'login', name: 'acme', about: 'In the browser', file: '/home/me/plugin.ts' },
  ]);
});

test('control characters are escaped, and an empty list prints nothing', () => {
  const screen = { paint: (_: unknown, text: string) => text, width: 80, cwd: '/p', home: '/home/me' };
  const [tool] = offers.tools;
  const hostile = { ...NO_OFFERS, tools: [{ ...tool!, description: 'a\u001b[2Jb' }] };
  expect(offeredLines(hostile, screen).join('\n')).not.toContain('\u001b');
  expect(offeredLines(NO_OFFERS, screen)).toEqual([]);
});
