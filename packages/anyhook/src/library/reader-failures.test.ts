/** Settings readers that throw: the file is reported, tool calls are refused, and everything else continues. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { claudeCode } from '../agents/claude-code/dialect/index.ts';
import { codex } from '../agents/codex/dialect/index.ts';
import { DIALECTS } from '../dialects.ts';
import type { Dialect } from '../events/dialect.ts';
import { isFields } from '../events/fields.ts';
import { locationsOf } from '../gather/folders.ts';
import { ground, shell, type TestGround } from './fixtures/ground.ts';

/** The dialects as their folders export them. `assemble.ts` returns copies whose readers cannot throw. */
const PLANTED = await Promise.all(
  DIALECTS.map(async ({ name }): Promise<Dialect> => {
    const exported = (await import(`../agents/${name}/dialect/index.ts`)) as Readonly<
      Record<string, unknown>
    >;
    return Object.values(exported).find((one) => isFields(one) && one['name'] === name) as Dialect;
  }),
);
const fail = (): never => {
  throw new RangeError('planted');
};
afterEach(() => vi.restoreAllMocks());

const PROMPT = { name: 'prompt.submit', payload: { prompt: 'hello' } } as const;

/** What a host gets from hooks whose settings could not all be read. */
async function seenIn({ open }: TestGround) {
  const hooks = await open({ trust: { selfProtection: false } });
  const call = await hooks.fire(shell('ls'));
  return {
    files: hooks.problems.filter(({ code }) => code === 'reader-failed').map(({ file }) => file),
    call: [call.proceed, call.reason] as const,
    prompt: (await hooks.fire(PROMPT)).proceed,
    start: (await hooks.fire({ name: 'session.start', payload: { source: 'startup' } })).proceed,
  };
}

describe.each(PLANTED)('$name', (dialect) => {
  const { name, config, moduleFinder } = dialect;
  test(`a reader of ${name} settings that throws refuses tool calls with the file’s name, and lets prompts pass`, async () => {
    const place = ground();
    const [own] = config
      .places(locationsOf({ home: place.home, cwd: place.cwd, env: {} }))
      .filter(({ layer }) => layer === 'user');
    if (own === undefined) return; // its hooks are code of a program
    mkdirSync(dirname(own.file), { recursive: true });
    writeFileSync(own.file, '{}');
    vi.spyOn(config, 'read').mockImplementation(fail);
    const seen = await seenIn(place);
    expect(seen).toEqual({
      files: [own.file],
      call: ['no', expect.stringContaining(own.file)],
      prompt: 'yes',
      start: 'yes',
    });
  });

  test(`a search for ${name} settings that throws refuses tool calls, and lets prompts pass`, async () => {
    vi.spyOn(config, 'places').mockImplementation(fail);
    const seen = await seenIn(ground());
    expect(seen).toEqual({
      files: [`(settings of ${name})`],
      call: ['no', expect.stringContaining(`settings of ${name}`)],
      prompt: 'yes',
      start: 'yes',
    });
  });

  test(`a search for ${name} modules that throws refuses tool calls, and lets prompts pass`, async () => {
    if (moduleFinder === undefined) return;
    const place = ground();
    vi.spyOn(moduleFinder, 'find').mockImplementation(fail);
    const seen = await seenIn(place);
    expect(seen).toEqual({
      files: [place.home],
      call: ['no', expect.stringContaining('planted')],
      prompt: 'yes',
      start: 'yes',
    });
  });
});

test('a search that throws names the file that it read last', async () => {
  const place = ground({ 'home/.claude/plugins/installed_plugins.json': '{}' });
  const file = `${place.home}/.claude/plugins/installed_plugins.json`;
  vi.spyOn(claudeCode.config, 'places').mockImplementation(({ read }) => {
    read!(file);
    return fail();
  });
  expect((await seenIn(place)).files).toEqual([file]);
});

test('hooks of other dialects run although one dialect’s reader throws', async () => {
  const place = ground({
    'home/.codex/hooks.json': '{}',
    'home/.claude/settings.json': {
      hooks: {
        UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo heard' }] }],
      },
    },
  });
  vi.spyOn(codex.config, 'read').mockImplementation(fail);
  const hooks = await place.open({ trust: { selfProtection: false } });
  expect((await hooks.fire(PROMPT)).forModel).toEqual(['heard']);
});

test('an untrusted project’s file that a reader throws on is reported, and refuses nothing', async () => {
  const place = ground({ 'project/.codex/hooks.json': '{}' });
  vi.spyOn(codex.config, 'read').mockImplementation(fail);
  const { call, files } = await seenIn(place);
  expect([files, call[0]]).toEqual([[`${place.cwd}/.codex/hooks.json`], 'yes']);
});

test('sound settings refuse nothing and are not reported', async () => {
  const seen = await seenIn(ground({ 'home/.codex/hooks.json': '{}' }));
  expect(seen).toEqual({ files: [], call: ['yes', ''], prompt: 'yes', start: 'yes' });
});

test('an extension folder that cannot be listed refuses tool calls with its name, and lets prompts pass', async () => {
  const place = ground({ 'home/.pi/agent/settings.json': { packages: ['../../own'] } });
  // A folder whose package.json lists a name that is too long for any file system, so a stat of it throws.
  place.put('home/own/package.json', JSON.stringify({ pi: { extensions: [`./${'x'.repeat(5000)}`] } }));
  const { call, prompt } = await seenIn(place);
  expect([call[0], prompt]).toEqual(['no', 'yes']);
  expect(call[1]).toContain(`${place.home}/own`);
});
