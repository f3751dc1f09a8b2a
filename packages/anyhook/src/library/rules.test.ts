/** Rules over time in a program: what they refuse, and that their history survives restarts and never consents when it is broken. */

import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Hooks, Options } from '../index.ts';
import { before, ground, shell, type TestGround, USER } from './fixtures/ground.ts';

const TESTED = before({
  match: 'shell(git push*)',
  requires: { earlier: 'shell(npm test)', succeeded: true, since: 'last edit' },
});
const HOURLY = before({ match: 'shell(npm publish*)', limit: { times: 1, per: '1h', across: 'project' } });
const SECRET = before({
  match: 'fetch|shell(curl*)',
  forbid: { after: 'read({.env*,*secret*})' },
  reason: 'secrets were read in this session',
});

const edited = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));
function replace(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

let calls = 0;
type Way = 'succeeds' | 'fails' | 'runs';
/** Fires a call and, if it may run, its result. Returns the verdict. */
async function call(
  hooks: Hooks,
  tool: string,
  input: object,
  { session = 's', way = 'succeeds' }: { session?: string; way?: Way } = {},
): Promise<string> {
  const ids = { session, call: `c${calls++}` };
  const payload = { tool, input: input as Record<string, unknown> };
  const { verdict } = await hooks.fire({ name: 'tool.before', payload, ids });
  if (verdict === 'none' && way !== 'runs')
    await hooks.fire({
      name: 'tool.after',
      payload: { ...payload, content: [], isError: way === 'fails' },
      ids,
    });
  return verdict;
}
const run = (hooks: Hooks, command: string, how = {}) => call(hooks, 'shell', { command }, how);
const edit = (hooks: Hooks) => call(hooks, 'edit', { path: 'a.ts', old: 'a', new: 'b' });
const open = (at: TestGround, options: Partial<Options> = {}) => at.open(options);
const journalOf = ({ home }: TestGround): string => {
  const folder = join(home, '.local/state/anyhook/journal');
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.jsonl'))!,
  );
};

describe.each([
  ['with a journal', {}],
  ['without a journal', { journal: false }],
] as const)('a rule %s', (_, options) => {
  test('a push needs tests that succeeded after the last edit', async () => {
    const hooks = await open(ground({ [USER]: TESTED }), options);
    expect(await run(hooks, 'git push')).toBe('deny');
    await run(hooks, 'npm test', { way: 'fails' });
    expect(await run(hooks, 'git push')).toBe('deny');
    await run(hooks, 'npm test');
    expect(await run(hooks, 'git push')).toBe('none');
    await edit(hooks);
    expect(await run(hooks, 'git push')).toBe('deny');
    await run(hooks, 'npm test', { way: 'runs' });
    expect(await run(hooks, 'git push')).toBe('deny');
    await run(hooks, 'npm test');
    expect(await run(hooks, 'git push')).toBe('none');
  });

  test.each([
    ['npm test || true'],
    ['npm test; true'],
    ['npm test | tail -1'],
    ['npm test & true'],
    ['! npm test'],
    ['true && ! npm test'],
    ['echo $(npm test)'],
    ['echo npm test'],
  ])('the success of `%s` proves nothing about the tests', async (command) => {
    const hooks = await open(ground({ [USER]: TESTED }), options);
    await run(hooks, command);
    expect(await run(hooks, 'git push')).toBe('deny');
  });

  test.each([['cd app && npm test'], ['CI=1 npm test'], ['npm test 2>&1']])(
    'the success of `%s` proves that the tests passed',
    async (command) => {
      const hooks = await open(ground({ [USER]: TESTED }), options);
      await run(hooks, command);
      expect(await run(hooks, 'git push')).toBe('none');
    },
  );

  test.each([['sed -i s/a/b/ a.ts'], ['echo x > a.ts'], ['git checkout main'], ['$TOOL a.ts']])(
    'the shell command `%s` counts as an edit',
    async (command) => {
      const hooks = await open(ground({ [USER]: TESTED }), options);
      await run(hooks, 'npm test');
      await run(hooks, command);
      expect(await run(hooks, 'git push')).toBe('deny');
    },
  );

  test.each([['git status'], ['git commit -m x'], ['npm test > /dev/null'], ['cat a.ts > /tmp/x']])(
    'the shell command `%s` counts as no edit',
    async (command) => {
      const hooks = await open(ground({ [USER]: TESTED }), options);
      await run(hooks, 'npm test');
      await run(hooks, command);
      expect(await run(hooks, 'git push')).toBe('none');
    },
  );

  test('a limit across the project counts calls of other sessions', async () => {
    const hooks = await open(ground({ [USER]: HOURLY }), options);
    expect(await run(hooks, 'npm publish')).toBe('none');
    expect(await run(hooks, 'npm publish', { session: 'other' })).toBe('deny');
    expect(await run(hooks, 'npm pack', { session: 'other' })).toBe('none');
  });

  test('of calls that start together, only as many pass as a limit allows', async () => {
    const hooks = await open(
      ground({ [USER]: before(HOURLY.hooks['tool.before'][0]!, { match: 'shell', run: 'sleep 0.2' }) }),
      options,
    );
    const publish = (session: string) => run(hooks, 'npm publish', { session, way: 'runs' });
    expect((await Promise.all([publish('s'), publish('s'), publish('t')])).toSorted()).toEqual([
      'deny',
      'deny',
      'none',
    ]);
  });

  test('a call that passed a limit and was refused by another hook does not use it up', async () => {
    const at = ground({
      [USER]: before(HOURLY.hooks['tool.before'][0]!, { match: 'shell(npm publish --bad)', run: 'exit 2' }),
    });
    const hooks = await open(at, options);
    expect(await run(hooks, 'npm publish --bad')).toBe('deny');
    expect(await run(hooks, 'npm publish')).toBe('none');
  });

  test('a call after reading secrets is refused with the reason, in this session only', async () => {
    const hooks = await open(ground({ [USER]: SECRET }), options);
    expect(await run(hooks, 'curl x.org')).toBe('none');
    await call(hooks, 'read', { path: 'config/my-secret.txt' });
    const { verdict, reason } = await hooks.fire(shell('curl x.org', { session: 's' }));
    expect([verdict, reason]).toEqual(['deny', expect.stringContaining('secrets were read in this session')]);
    expect(await run(hooks, 'curl x.org', { session: 'other' })).toBe('none');
  });

  test('a refused call has not happened', async () => {
    const refused = before(
      { match: 'read(.env)', run: 'exit 2' },
      { match: 'fetch', forbid: { after: 'read(.env)' } },
    );
    const hooks = await open(ground({ [USER]: refused }), options);
    expect(await call(hooks, 'read', { path: '.env' })).toBe('deny');
    expect(await call(hooks, 'fetch', { url: 'https://x.org' })).toBe('none');
  });

  test('a rule that rests on an undecidable call asks', async () => {
    const rule = before({ match: 'fetch', forbid: { after: 'shell(cat .env)' } });
    const hooks = await open(ground({ [USER]: rule }), options);
    await run(hooks, '$CMD .env');
    expect(await call(hooks, 'fetch', { url: 'https://x.org' })).toBe('ask');
  });

  test('a rule in shadow refuses nothing', async () => {
    const rule = before({ match: 'fetch', limit: { times: 0 }, shadow: true });
    const hooks = await open(ground({ [USER]: rule }), options);
    const { verdict } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'fetch', input: { url: 'https://x.org' } },
    });
    expect(verdict).toBe('none');
  });
});

describe('an agent that does not report exit codes', () => {
  const EVENTS = (content: unknown[]) =>
    ['tool.before', 'tool.after'].map((name) => ({
      name: name as 'tool.after',
      payload: { tool: 'shell', input: { command: 'npm test' }, content },
      ids: { session: 's', call: 'c' },
    }));

  test.each([
    ['codex', 'deny'],
    ['test', 'deny'],
    ['claude-code', 'none'],
  ])('in %s a result without an exit code answers a later push with %s', async (name, verdict) => {
    const hooks = await open(ground({ [USER]: TESTED }), { host: { name, can: EVERYTHING } });
    for (const event of EVENTS([{ type: 'text', text: 'ok' }])) await hooks.fire(event);
    expect(await run(hooks, 'git push')).toBe(verdict);
  });
});

describe('the history of a rule', () => {
  test('results are wanted if a rule needs them, and only then', async () => {
    const [ruled, plain] = [ground({ [USER]: TESTED }), ground({ [USER]: before({ run: 'true' }) })];
    const wants = async (at: TestGround) => {
      const hooks = await open(at);
      return [hooks.wants['tool.after'], hooks.wants['file.edited'], hooks.wants['prompt.submit']];
    };
    expect([await wants(ruled), await wants(plain)]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  test('a restart keeps the history, because it is in the journal', async () => {
    const at = ground({ [USER]: TESTED });
    await run(await open(at), 'npm test');
    expect(await run(await open(at), 'git push')).toBe('none');
    expect(await run(await open(at), 'git push', { session: 'new' })).toBe('deny');
  });

  test('two programs that serve one session share its history', async () => {
    const at = ground({ [USER]: TESTED });
    const [one, other] = [await open(at), await open(at)];
    await run(one, 'npm test');
    expect(await run(other, 'git push')).toBe('none');
    await edit(one);
    expect(await run(other, 'git push')).toBe('deny');
  });

  test.each<readonly [string, (file: string) => void]>([
    ['truncated', (file) => truncateSync(file, 10)],
    ['removed', (file) => rmSync(file)],
    [
      'replaced by a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ['replaced', replace],
  ])('a journal that is %s refuses at once', async (_, breakFile) => {
    const at = ground({ [USER]: SECRET });
    const hooks = await open(at);
    await run(hooks, 'git status');
    expect(await run(hooks, 'curl x.org')).toBe('none');
    breakFile(journalOf(at));
    expect(await run(hooks, 'curl x.org')).toBe('deny');
  });

  test.each<readonly [string, (file: string) => void]>([
    ['changed', (file) => edited(file, (text) => text.replace('"git status"', '"git statux"'))],
    [
      'cut in the middle',
      (file) => edited(file, (text) => text.replace(/^.*\n/, (line) => line.slice(0, 40))),
    ],
    ['removed', (file) => rmSync(file)],
  ])('a journal that was %s refuses after a restart', async (_, breakFile) => {
    const at = ground({ [USER]: SECRET });
    const hooks = await open(at);
    await run(hooks, 'git status');
    expect(await run(await open(at), 'curl x.org')).toBe('none');
    await hooks.close();
    breakFile(journalOf(at));
    expect(await run(await open(at), 'curl x.org')).toBe('deny');
  });

  test('a rule with "onFailure": "allow" passes if the journal is damaged, and the outcome names the failure', async () => {
    const at = ground({
      [USER]: before({ match: 'fetch', forbid: { after: 'read(.env)' }, onFailure: 'allow' }),
    });
    const hooks = await open(at);
    await call(hooks, 'read', { path: 'a' });
    appendFileSync(journalOf(at), 'garbage\n');
    const { verdict, runs } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'fetch', input: { url: 'https://x.org' } },
      ids: { session: 's' },
    });
    expect([verdict, runs.some(({ failedOpen }) => failedOpen === true)]).toEqual(['none', true]);
  });

  test('a rule of a project waits for trust', async () => {
    const at = ground({ 'project/.anyhook/hooks.json': before({ match: 'fetch', limit: { times: 0 } }) });
    const { examined } = await open(at);
    expect(examined.map(({ judgement }) => judgement.state)).toEqual(['unknown']);
    const trusting = await open(at, { trust: { hashes: [examined[0]!.judgement.hash] } });
    expect(await call(trusting, 'fetch', { url: 'https://x.org' })).toBe('deny');
  });
});

test('a danger preset of a project waits for trust, and refuses once it is trusted', async () => {
  const at = ground({ 'project/.anyhook/hooks.json': before({ match: 'danger:delete' }) });
  const { examined } = await open(at);
  expect(examined.map(({ judgement }) => judgement.state)).toEqual(['unknown']);
  const trusting = await open(at, { trust: { hashes: [examined[0]!.judgement.hash] } });
  expect(await run(trusting, 'rm -rf /')).toBe('deny');
});

describe('session.history of a module', () => {
  const MODULE = `
    import { defineHook, deny } from 'anyhook';
    export default defineHook({
      on: 'tool.before',
      match: 'fetch',
      async run(event, { session }) {
        const reads = await session.history({ match: 'read(*.pem)', state: 'succeeded' });
        return deny(reads.map(({ tool, input, state }) => [tool, input.path, state].join(' ')).join(', ') || 'none');
      },
    });`;
  const fetched = async (hooks: Hooks, session = 's') =>
    (
      await hooks.fire({
        name: 'tool.before',
        payload: { tool: 'fetch', input: { url: 'https://x.org' } },
        ids: { session },
      })
    ).reason;

  test.each([
    ['in the process of the host', 'none'],
    ['in a process of its own', 'all'],
  ] as const)('a module %s reads the calls of the session of its event', async (_, isolate) => {
    const at = ground({
      'home/.config/anyhook/hooks/guard.mjs': MODULE,
      // Results are recorded if a hook listens to them.
      [USER]: { hooks: { 'tool.after': [{ run: 'true' }] } },
    });
    const hooks = await open(at, { modules: { isolate } });
    await call(hooks, 'read', { path: 'a.pem' });
    await call(hooks, 'read', { path: 'b.pem' }, { way: 'fails' });
    await call(hooks, 'read', { path: 'c.txt' });
    expect([await fetched(hooks), await fetched(hooks, 'other')]).toEqual(['read a.pem succeeded', 'none']);
  });

  test('a module of a program without a journal and without rules gets an error, and its guard refuses', async () => {
    const at = ground({ 'home/.config/anyhook/hooks/guard.mjs': MODULE });
    const hooks = await open(at, { journal: false });
    expect(await fetched(hooks)).toContain('no journal is written');
  });

  test('a module with a wrong matcher gets an error that quotes it', async () => {
    const at = ground({
      'home/.config/anyhook/hooks/guard.mjs': MODULE.replace('read(*.pem)', 'read('),
    });
    expect(await fetched(await open(at))).toContain('session.history: "read("');
  });
});
