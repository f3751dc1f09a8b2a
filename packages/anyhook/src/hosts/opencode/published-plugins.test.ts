/** Plugins that people published for OpenCode, from npm, as they are. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
const before = { ...process.env };
afterAll(() => {
  ground.remove();
  for (const name of ['PATH', 'WAKATIME_HOME', 'HOME']) process.env[name] = before[name];
});
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The packages are installed beside us, not in the scratch folder. */
const load = (name: string) => ground.load([name], { directory: HERE, worktree: ground.root });

describe('opencode-openai-codex-auth', () => {
  test('offers its three logins and begins one: a url with a challenge, and a code to bring back', async () => {
    const plugins = await load('opencode-openai-codex-auth');
    expect(plugins.problems).toEqual([]);
    const [auth] = plugins.offers.auth;
    expect([auth?.provider, auth?.methods.map(({ kind }) => kind)]).toEqual([
      'openai',
      ['oauth', 'oauth', 'api'],
    ]);
    const started = await auth!.methods[1]!.start!({});
    const url = new URL(started.url);
    expect([url.origin, url.pathname, started.way]).toEqual([
      'https://auth.openai.com',
      '/oauth/authorize',
      'code',
    ]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(await started.finish('')).toBeUndefined();
  });

  test('its loader makes options from a stored login, with a fetch of its own', async () => {
    process.env['HOME'] = ground.home;
    const plugins = await load('opencode-openai-codex-auth');
    const claims = { 'https://api.openai.com/auth': { chatgpt_account_id: 'acc_1' } };
    const access = `x.${Buffer.from(JSON.stringify(claims)).toString('base64')}.y`;
    const credential = { type: 'oauth', refresh: 'r', access, expires: Date.now() + 1e6 } as const;
    const options = await plugins.offers.auth[0]!.load!(async () => credential, { models: {} });
    expect(options).toMatchObject({ baseURL: 'https://chatgpt.com/backend-api' });
    expect(typeof options['fetch']).toBe('function');
    expect(await plugins.offers.auth[0]!.load!(async () => ({ type: 'api', key: 'k' }), {})).toEqual({});
  });
});

describe('opencode-wakatime', () => {
  test('counts the lines of an edit that it hears of, and reports them when the session is idle', async () => {
    const ran = join(ground.root, 'ran');
    const cli = ground.write(
      'bin/wakatime-cli',
      `#!/bin/sh\nprintf '%s\\n' "$@" > "${ran}.new"; mv "${ran}.new" "${ran}"\n`,
    );
    chmodSync(cli, 0o755);
    process.env['PATH'] = `${join(ground.root, 'bin')}:${before['PATH']}`;
    process.env['WAKATIME_HOME'] = ground.home;
    const plugins = await load('opencode-wakatime');
    expect(plugins.problems).toEqual([]);
    const file = ground.write('edited.ts', '');
    const state = {
      status: 'completed',
      title: '',
      output: '',
      metadata: { filediff: { file, additions: 5, deletions: 2 } },
    };
    const part = { type: 'tool', tool: 'edit', callID: 'call_1', state };
    plugins.publish({ type: 'message.part.updated', properties: { part } });
    plugins.publish({ type: 'session.idle', properties: { sessionID: 's' } });
    await expect.poll(() => existsSync(ran), { timeout: 20_000 }).toBe(true);
    const args = readFileSync(ran, 'utf8').split('\n');
    const valueOf = (name: string) => args[args.indexOf(name) + 1];
    expect([valueOf('--entity'), valueOf('--ai-line-changes'), valueOf('--project-folder')]).toEqual([
      file,
      '3',
      ground.root,
    ]);
    expect(await plugins.trigger('chat.message', { sessionID: 's' }, { parts: [] })).toEqual({ parts: [] });
    expect(plugins.problems).toEqual([]);
  });
});

describe('opencode-skills', () => {
  const bun = fileURLToPath(
    new URL(
      `../../../../../.cache/clients/bun/node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`,
      import.meta.url,
    ),
  );
  const writeSkill = () =>
    ground.write(
      'home/.config/opencode/skills/tidy-up/SKILL.md',
      '---\nname: tidy-up\ndescription: Tidies the desk up, one drawer after another.\n---\nBegin on the left.\n',
    );

  test('was written for Bun alone: on Node that is a problem which says so', async () => {
    const plugins = await load('opencode-skills');
    expect(plugins.hooks).toEqual([]);
    expect(plugins.problems).toMatchObject([
      { code: 'not-loaded', remedy: expect.stringContaining('run the host on Bun') as string },
    ]);
  });

  test.skipIf(!existsSync(bun))('on Bun it offers each skill as a tool, under the same loader', () => {
    writeSkill();
    const script = ground.write(
      'on-bun.ts',
      `import { loadPlugins } from ${JSON.stringify(pathToFileURL(join(HERE, 'load-plugins.ts')).href)};
       const plugins = await loadPlugins({ directory: ${JSON.stringify(HERE)}, worktree: ${JSON.stringify(ground.root)}, plugins: ['opencode-skills'] });
       console.log(JSON.stringify({ problems: plugins.problems, tools: plugins.offers.tools.map(({ name, description }) => [name, description]) }));
       process.exit(0);`,
    );
    const out = execFileSync(bun, [script], {
      encoding: 'utf8',
      env: { PATH: before['PATH'], HOME: ground.home },
      cwd: ground.root,
    });
    expect(JSON.parse(out.trim().split('\n').at(-1)!)).toEqual({
      problems: [],
      tools: [['skills_tidy_up', 'Tidies the desk up, one drawer after another.']],
    });
  });
});
